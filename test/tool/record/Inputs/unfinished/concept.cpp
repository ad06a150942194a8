template <class T> struct Box {};
template <class T> struct Ask;
template <class T> concept Deep = requires { requires Ask<Box<T>>::value; };
template <class T> struct Ask { static constexpr bool value = Deep<T>; };
static_assert(Deep<int>);
