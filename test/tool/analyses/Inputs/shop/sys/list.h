// Stands for a library that nobody here can change.
namespace lib {

template <class... Ts> struct list {};

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> {
  using type = T;
};
template <bool B, class T = void>
using enable_if_t = typename enable_if<B, T>::type;

template <class T> constexpr bool is_number = false;
template <> inline constexpr bool is_number<int> = true;
template <> inline constexpr bool is_number<double> = true;

// Linear: N needs N - 1, ..., 0.
template <int N> struct count {
  static constexpr int value = 1 + count<N - 1>::value;
};
template <> struct count<0> {
  static constexpr int value = 0;
};

// Linear in number, quadratic in what is in the names.
template <int N, class... Ts> struct make_list {
  using type = typename make_list<N - 1, Ts..., int>::type;
};
template <class... Ts> struct make_list<0, Ts...> {
  using type = list<Ts...>;
};

// Quadratic: every pair that is smaller.
template <int Row, int Column> struct cell {
  static constexpr int value =
      cell<Row - 1, Column>::value + cell<Row, Column - 1>::value;
};
template <int Row> struct cell<Row, 0> {
  static constexpr int value = 1;
};
template <int Column> struct cell<0, Column> {
  static constexpr int value = 1;
};
template <> struct cell<0, 0> {
  static constexpr int value = 1;
};

template <class T> struct vector {
  T *Data;
  int Size;
  void push(const T &Value) {
    grow();
    Data[Size++] = Value;
  }
  void grow() { Data = new T[count<40>::value]; }
};

} // namespace lib
