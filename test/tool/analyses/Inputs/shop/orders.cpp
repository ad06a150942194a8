#include "money.h"

struct Order {
  shop::Euro Price;
};

int total(lib::vector<Order> &Orders, Order New) {
  Orders.push(New);
  return shop::twice(New.Price).Cents;
}

int first() {
  lib::vector<Order> Orders{};
  lib::vector<int> Numbers{};
  Numbers.push(1);
  return shop::weight(1) + shop::weight(Order{}) + shop::weight(Numbers) +
         total(Orders, {});
}

using Many = lib::make_list<30>::type;
constexpr int Ways = lib::cell<8, 8>::value;
