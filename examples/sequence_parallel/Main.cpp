//===- Main.cpp - one of the three programs as an executable --------------===//
//
// TILEWIRE_PROGRAM, set by the build, is a function of Programs.h.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

int main(int argc, char **argv) {
  return sequence_parallel::runMain(argc, argv,
                                    sequence_parallel::TILEWIRE_PROGRAM());
}
