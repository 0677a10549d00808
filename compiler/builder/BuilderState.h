//===- BuilderState.h - the MLIR behind the builder's handles -------------===//
//
// Where the handles of Builder.h and MLIR meet: values as opaque pointers,
// places as locations, and a check of each op at the call that makes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_BUILDERSTATE_H
#define TILEWIRE_COMPILER_BUILDERSTATE_H

#include "compiler/Diagnostics.h"
#include "compiler/ProgramState.h"
#include "dialects/Tile/Tile.h"

#include <tilewire/Builder.h>
#include <tilewire/Error.h>

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

#include <functional>

namespace tilewire {

class BuilderState : public std::enable_shared_from_this<BuilderState> {
public:
  BuilderState(std::string name, ProgramOptions options,
               std::source_location place);

  /// The user's place; also remembered for what has none, as operators.
  mlir::Location at(std::source_location place);
  /// "file:line: " of the last place, in front of a message.
  std::string lastPrefix() const { return prefix(lastCall); }
  mlir::Location lastPlace() const { return last; }
  /// "file:line: " in front of a message about `place`.
  static std::string prefix(std::source_location place);

  /// Creates an op at the insertion point and verifies it at once.
  template <typename Op, typename... Args>
  Op create(mlir::Location loc, Args &&...args) {
    checkNotSpent();
    DiagnosticKeeper keeper(builder.getContext());
    auto op = Op::create(builder, loc, std::forward<Args>(args)...);
    llvm::LogicalResult verified =
        mlir::verify(op.getOperation(), /*verifyRecursively=*/false);
    if (failed(verified))
      op.erase();
    keeper.check(verified);
    return op;
  }

  Index index(mlir::Value value) {
    return Index(shared_from_this(), value.getAsOpaquePointer());
  }
  Tile tile(mlir::Value value) {
    return Tile(shared_from_this(), value.getAsOpaquePointer());
  }
  /// The value of an index here; UserError when it is another program's, or
  /// that of a loop that has ended.
  mlir::Value valueOf(const Index &index);
  mlir::OpFoldResult mixedOf(const Index &index);
  llvm::SmallVector<mlir::OpFoldResult>
  mixedOf(const std::vector<Index> &indices) {
    llvm::SmallVector<mlir::OpFoldResult> list;
    for (const Index &index : indices)
      list.push_back(mixedOf(index));
    return list;
  }
  /// How much of a dimension this rank has; UserError in a kernel's body where
  /// ranks differ in it.
  Index partOf(const Extent &extent, std::source_location place);
  mlir::Value valueOf(const Tile &tile, std::source_location place);
  mlir::Value tensor(const TensorArgument &argument,
                     std::source_location place);
  /// Declares a parameter of the kernel.
  void addParameter(const std::string &name, int64_t most,
                    std::source_location place);
  /// The name of the tensor that a tensor or tile is of, and those of the
  /// dimensions that it shows.
  std::string nameOf(mlir::Value view);
  std::vector<std::string> dimNamesOf(mlir::Value view);
  /// Adds an argument to the kernel; returns its number.
  unsigned addTensor(const std::string &name, DataType dtype,
                     const std::vector<Extent> &extents, bool symmetric,
                     const std::vector<int64_t> &strides,
                     std::source_location place);

  /// One operator of Index.
  template <typename Op>
  static Index binary(const Index &lhs, const Index &rhs) {
    const auto &state = lhs.state ? lhs.state : rhs.state;
    return state->index(state->create<Op>(
        state->lastPlace(), state->valueOf(lhs), state->valueOf(rhs)));
  }
  /// A number, or the parameter that it is.
  mlir::Value wholeOf(const Extent &extent);
  /// A part of a partition, folded where it can be.
  template <typename Op>
  Index shareOf(const Extent &extent, const Index &rank,
                std::source_location place) {
    const mlir::Location loc = at(place);
    checkNotSpent();
    if (extent.value < 0)
      throw UserError(lastPrefix() +
                      "expected an extent that is at least 0, got " +
                      std::to_string(extent.value));
    auto share = create<Op>(loc, wholeOf(extent), valueOf(rank));
    llvm::SmallVector<mlir::Value> folded;
    if (failed(builder.tryFold(share, folded)))
      return index(share);
    share.erase();
    if (auto constant = mlir::getConstantIntValue(folded.front()))
      return *constant;
    return index(folded.front());
  }
  /// lastPrefix() of an index's program; empty for a constant.
  static std::string prefixOf(const Index &index) {
    return index.state ? index.state->lastPrefix() : "";
  }
  static bool isConstant(const Index &index) { return !index.state; }
  static int64_t constantOf(const Index &index) { return index.constant; }

  std::string name;
  ProgramOptions options;
  std::shared_ptr<Program::State> program = std::make_shared<Program::State>();
  mlir::OpBuilder builder;
  tile::KernelOp kernel;
  bool isFilled = false; ///< a kernel body or a collective was given
  bool isSpent = false;  ///< built or destroyed, or a body threw
  int depth = 0;         ///< bodies that are being filled
  /// Runs the user's body of a kernel or loop: half a one is no program.
  void fill(const std::function<void()> &body);
  /// UserError when a body is an empty function.
  static void checkBody(bool isGiven, std::source_location place);
  /// UserError when the program can't be added to any more.
  void checkNotSpent() const;

private:
  void checkInScope(mlir::Value value, const char *what) const;

  std::source_location lastCall;
  mlir::Location last;
};

} // namespace tilewire

#endif // TILEWIRE_COMPILER_BUILDERSTATE_H
