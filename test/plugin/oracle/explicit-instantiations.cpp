// REQUIRES: templight-dump
// Explicit instantiation definitions and declarations (extern template).
// RUN: %python %S/Inputs/compare-with-templight.py %clangxx %plugin %t %s -std=c++17
// RUN: %check_trace %t.itrace
template <class T> struct Buffer {
  T *Data = nullptr;
  Buffer() = default;
  Buffer(const Buffer &) = delete;
  T &at(int I) { return Data[I]; }
  static int Live;
  struct Cursor {
    int Position = 0;
    void advance() { ++Position; }
  };
};
template <class T> int Buffer<T>::Live = sizeof(T);
extern template struct Buffer<int>;
template struct Buffer<int>;
template struct Buffer<char>;
extern template struct Buffer<long>;
template <class T> T zero() { return T(); }
template int zero<int>();
extern template long zero<long>();
template <class T> T Limit = T(10);
template double Limit<double>;
int use(Buffer<long> &B) { return int(B.at(3)) + int(zero<long>()); }
