//===- LaunchArgumentsTest.cpp - where a launch's tensors may lie ---------===//
//
// On the emulator, with ranks as threads.
//
//===----------------------------------------------------------------------===//

#include "WorldFixture.h"

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;

namespace {

/// `tensor`, its memory moved by `bytes`.
Tensor shifted(Tensor tensor, int64_t bytes) {
  tensor.data = static_cast<char *>(tensor.data) + bytes;
  return tensor;
}

/// A kernel that does nothing with two tensors of `first` and `second` bytes.
KernelSource idleKernel(int64_t first, int64_t second) {
  KernelSource source = makeKernel("idle", R"(
extern "C" __global__ void __launch_bounds__(32)
idle(const tw::World world, tw::b8 *a, tw::b8 *b) {}
)",
                                   32, {});
  source.parameters = {{"a", DataType::U8, {first}, false, false},
                       {"b", DataType::U8, {second}, false, false}};
  return source;
}

/// Two pieces of one memory.
struct Pieces {
  int64_t firstBegin, firstBytes, secondBegin, secondBytes;
  int64_t shared; ///< bytes
};

} // namespace

TEST_CASE("a tensor that is not aligned for the widest access is refused by "
          "name, wherever it lies",
          "[launch-arguments][cxx]") {
  runLoopback(1, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    Kernel kernel(heap, exchangeKernel(1));
    Stream stream(world);
    // Room to move the one element that the kernel takes.
    Tensor src = filled(world, std::vector<int32_t>(16, 5));
    Tensor dst = heap.tensor(DataType::I32, {16});
    src.shape = dst.shape = {1};
    for (int64_t shift = 1; shift < 16; ++shift) {
      const auto refusal = [&](const std::string &name) {
        return "expected memory aligned to 16 bytes for '" + name +
               "' of kernel 'exchange', got an address aligned to " +
               std::to_string(shift & -shift) +
               "; make it with World::tensor or SymmetricHeap::tensor";
      };
      expect(messageOf<UserError>([&] {
               kernel.launch(stream, {shifted(src, shift), dst});
             }) == refusal("src"),
             refusal("src"));
      expect(messageOf<UserError>([&] {
               kernel.launch(stream, {src, shifted(dst, shift)});
             }) == refusal("dst"),
             refusal("dst"));
    }
    stream.synchronize();
    for (int64_t shift : {16, 32, 48}) {
      kernel.launch(stream, {shifted(src, shift), shifted(dst, shift)});
      stream.synchronize();
      expect(valuesOf(world, shifted(dst, shift)) == std::vector<int32_t>{5},
             "the element at " + std::to_string(shift));
    }
  });
}

TEST_CASE("a tensor of nothing may lie anywhere", "[launch-arguments][cxx]") {
  runLoopback(1, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    KernelSource source = idleKernel(0, 64);
    source.parameters[1].written = true;
    Kernel kernel(heap, source);
    Stream stream(world);
    const Tensor whole = world.tensor(DataType::U8, {64});
    Tensor nothing = shifted(whole, 3);
    nothing.shape = {0};
    kernel.launch(stream, {nothing, whole});
    nothing.data = nullptr;
    kernel.launch(stream, {nothing, whole});
    stream.synchronize();
  });
}

TEST_CASE("tensors of a launch share no memory that is written, unless both "
          "may alias",
          "[launch-arguments][cxx]") {
  const Pieces pieces = GENERATE(values<Pieces>(
      {{0, 64, 0, 64, 64},  // the same
       {0, 64, 16, 16, 16}, // inside
       {0, 64, 48, 64, 16}, // the end of one is the start of the other
       {48, 64, 0, 64, 16}, //
       {0, 64, 48, 17, 16}, //
       {0, 65, 64, 64, 1},  // a single byte
       {0, 64, 64, 64, 0},  // side by side
       {64, 64, 0, 64, 0},  //
       {0, 64, 128, 64, 0}, // apart
       {0, 64, 32, 0, 0},   // nothing, inside
       {32, 0, 0, 64, 0},   //
       {0, 0, 0, 0, 0}}));  // nothing twice
  const bool mayAlias[] = {GENERATE(false, true), GENERATE(false, true)};
  runLoopback(1, emulated(), [&](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    const Tensor memory = world.tensor(DataType::U8, {256});
    const auto piece = [&](int64_t begin, int64_t bytes) {
      Tensor tensor = shifted(memory, begin);
      tensor.shape = {bytes};
      return tensor;
    };
    for (int written = 0; written < 4; ++written) {
      KernelSource source = idleKernel(pieces.firstBytes, pieces.secondBytes);
      for (int i : {0, 1}) {
        source.parameters[size_t(i)].written = written >> i & 1;
        source.parameters[size_t(i)].mayAlias = mayAlias[i];
      }
      Kernel kernel(heap, source);
      Stream stream(world);
      const std::string message = messageOf<UserError>([&] {
        kernel.launch(stream, {piece(pieces.firstBegin, pieces.firstBytes),
                               piece(pieces.secondBegin, pieces.secondBytes)});
      });
      stream.synchronize();
      const bool isRefused =
          pieces.shared > 0 && written != 0 && !(mayAlias[0] && mayAlias[1]);
      const std::string refusal =
          "expected 'a' and 'b' of kernel 'idle' in separate memory (because "
          "'" +
          std::string(written & 2 ? "b" : "a") + "' is written), got " +
          std::to_string(pieces.shared) +
          " bytes that belong to both; give separate tensors, or declare both "
          "parameters tile.may_alias";
      expect(message == (isRefused ? refusal : ""),
             isRefused ? refusal : "no refusal, got " + message);
    }
  });
}

TEST_CASE("a copy between tensors that share memory is refused",
          "[launch-arguments]") {
  runLoopback(1, emulated(), [&](World &world) {
    Stream stream(world);
    Tensor whole = filled(world, {1, 2, 3, 4, 5, 6, 7, 8});
    Tensor half = whole;
    half.shape = {4};
    for (int64_t shift : {0, 4, 12, 16}) {
      const Tensor moved = shifted(half, shift);
      const std::string refusal =
          "expected source and destination of a copy in separate memory, got " +
          std::to_string(16 - shift) +
          " bytes that belong to both; give separate tensors";
      for (const auto &[to, from] :
           {std::pair(half, moved), std::pair(moved, half)})
        expect(messageOf<UserError>([&] { stream.copy(to, from); }) ==
                   (shift < 16 ? refusal : ""),
               shift < 16 ? refusal : "no refusal");
    }
    stream.synchronize();
    expect(valuesOf(world, whole) ==
               std::vector<int32_t>{5, 6, 7, 8, 5, 6, 7, 8},
           "the half that was copied, and back");
  });
}

TEST_CASE("every rank refuses tensors that overlap alike, and none starts",
          "[launch-arguments][cxx]") {
  for (int64_t shift : {0, 16, -16}) {
    const std::string message = uniformFailureOf(4, [&](World &world) {
      SymmetricHeap heap(world, 1 << 16);
      KernelSource source = exchangeKernel(4);
      source.parameters[0].extents = source.parameters[1].extents = {8};
      Kernel kernel(heap, source);
      Stream stream(world);
      const Tensor whole = heap.tensor(DataType::I32, {16});
      Tensor dst = shifted(whole, 16);
      dst.shape = {8};
      std::string refusal;
      try {
        kernel.launch(stream, {shifted(dst, shift), dst});
      } catch (const UserError &error) {
        refusal = error.what();
      }
      // All launch once more: none of them had begun to wait for the others.
      Tensor src = filled(world, std::vector<int32_t>(8, world.rank()));
      kernel.launch(stream, {src, dst});
      stream.synchronize();
      const std::vector<int32_t> values = valuesOf(world, dst);
      expect(std::vector<int32_t>(values.begin(), values.begin() + 4) ==
                 std::vector<int32_t>{0, 1, 2, 3},
             "the peers' ranks");
      world.barrier();
      throw UserError(refusal);
    });
    CHECK(message ==
          "expected 'src' and 'dst' of kernel 'exchange' in separate memory "
          "(because 'dst' is written), got " +
              std::to_string(32 - std::abs(shift)) +
              " bytes that belong to both; give separate tensors, or declare "
              "both parameters tile.may_alias");
  }
}
