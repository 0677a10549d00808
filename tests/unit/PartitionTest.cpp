//===- PartitionTest.cpp - the balanced partition -------------------------===//

#include <tilewire/Partition.h>

#include <catch2/catch.hpp>

using tilewire::Partition;

TEST_CASE("a partition covers its total once, in rank order", "[partition]") {
  for (int numRanks : {1, 2, 3, 4, 7, 8, 72})
    for (int64_t total : {0, 1, 3, 8, 30, 1001, 57826}) {
      Partition partition{total, numRanks};
      int64_t next = 0;
      for (int rank = 0; rank < numRanks; ++rank) {
        CHECK(partition.begin(rank) == next);
        CHECK(partition.size(rank) <= partition.maxSize());
        CHECK(partition.size(rank) >= partition.maxSize() - 1);
        for (int64_t item : {next, next + partition.size(rank) - 1})
          if (partition.size(rank) > 0)
            CHECK(partition.ownerOf(item) == rank);
        next += partition.size(rank);
      }
      CHECK(next == total);
      CHECK(partition.begin(numRanks) == total);
    }
}
