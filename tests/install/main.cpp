//===- main.cpp - a program outside the project ---------------------------===//
//
// Uses the installed package alone: the vocabulary, and a world of one rank.
//
//===----------------------------------------------------------------------===//

#include <tilewire/Partition.h>
#include <tilewire/World.h>

#include <cstdio>

int main() {
  tilewire::Partition partition{10, 4};
  if (partition.size(0) != 3 || partition.begin(3) != 8)
    return 1;

  tilewire::WorldOptions options;
  options.backend = tilewire::Backend::Emulator;
  tilewire::World world = tilewire::World::join(options);
  tilewire::Tensor tensor =
      world.tensor(tilewire::parseDataType("fp16"), {2, 3});
  if (world.size() != 1 || tensor.numBytes() != 12)
    return 1;
  std::printf("outside project: rank %d of %d\n", world.rank(), world.size());
}
