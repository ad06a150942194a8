#include "utils/clickhouse/Retry.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

using namespace instantrace;

void instantrace::waitBefore(uint32_t Attempt) {
  constexpr uint32_t MostShift = 5;
  constexpr double FirstMs = 500;
  std::random_device Random;
  double Share = std::uniform_real_distribution<double>(0.5, 1)(Random);
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(
      FirstMs * double(1u << std::min(Attempt, MostShift)) * Share));
}
