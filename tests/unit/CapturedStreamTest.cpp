//===- CapturedStreamTest.cpp - what a test sees of what is printed -------===//

#include "CapturedStream.h"

#include <thread>

using namespace tilewire;
using tilewire::test::CapturedStream;

TEST_CASE("what is printed at the same time is captured whole", "[test]") {
  constexpr size_t numWriters = 4, numWrites = 5000;
  std::string captured;
  {
    const CapturedStream output(STDOUT_FILENO);
    std::vector<std::thread> writers;
    for (size_t i = 0; i < numWriters; ++i)
      writers.emplace_back([] {
        for (size_t k = 0; k < numWrites; ++k)
          if (::write(STDOUT_FILENO, "x\n", 2) != 2)
            return;
      });
    for (std::thread &writer : writers)
      writer.join();
    captured = output.text();
  }
  CHECK(captured.size() == numWriters * numWrites * 2);
}
