template <class T> void work(T) {
  struct Inner {};
  Inner I;
#pragma clang __debug crash
}
