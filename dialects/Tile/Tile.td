//===- Tile.td - the tile dialect -------------------------*- tablegen -*-===//
//
// What a user of Tilewire means: tensors, tiles of them, and moves of tiles
// between ranks. Here are kernels, who-am-I and tiles; types and attributes are
// in TileTypes.td, transfers and collectives in TileTransfers.td. Constraints
// are numbered and cited where they are checked (TileKernel.cpp, TileOps.cpp,
// TileViews.cpp) and tested (tests/dialects).
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TILE_TD
#define TILEWIRE_TILE_TD

include "dialects/Tile/TileTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove,
    OpAsmOpInterface, HasParent<"::mlir::ModuleOp">]> {
  let summary = "Is the program that every rank runs.";
  let description = [{
    Arguments are the tensors a launch is given. Attributes of an argument, all
    optional: `tile.name`, a string, names the tensor in the text; `tile.dims`,
    an array of strings, names its dimensions, slowest first, after which
    indices into it are called (`h`, or `s_d` for two that are walked as one);
    `tile.may_alias` says that a launch may give memory that overlaps that of
    other tensors which say so too. With `grid` and `threads` the
    body is what one block of the grid does (block level); without them it holds
    collectives (tensor level). The grid is logical: how many of its blocks run
    at once is the runtime's choice.

    `parameters` are numbers that each launch gives, the same on every rank; they
    are the arguments after the tensors.

    With `completion` a rank enters when every rank has entered and leaves when
    all data have arrived, so that the stream alone orders it and its
    neighbours.

    ```mlir
    tile.kernel @pre_attn_all2all(
        %src: !tile.tensor<2x32x2048x128xf16>
          {tile.name = "src", tile.dims = ["B", "H", "S", "D"]},
        %dst: !tile.tensor<2x8x8192x128xf16, symmetric>
          {tile.name = "dst", tile.dims = ["B", "H", "S", "D"]})
        attributes {num_ranks = 4 : i64, completion} {
      tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2, 3]
        : !tile.tensor<2x32x2048x128xf16>
          -> !tile.tensor<2x8x8192x128xf16, symmetric>
      tile.return
    }
    ```

    Constraints:
    - C1: `num_ranks` is from 1 to 72.
    - C2: `grid` has 1 to 3 axes, each from 0 to 2^31 - 1, and so is their
      product, in any order.
    - C3: `threads` is from 1 to 1024.
    - C4: a `grid` comes with `threads`. (Without a grid `threads` is the
      planner's choice, or the program's if it says so.)
    - C5: every argument is a tensor, and there are no results.
    - C6: with a grid the body holds no collective and no `tile.put_grid`;
      without one all else in it is pure or a `tile.barrier_all`.
    - C7: there are at most 1,024 arguments, they have no attributes but those
      above, `tile.dims` has a name for each dimension, and no name is longer
      than 1,024 characters.
    - C8: neither the kernel nor an op in it has attributes that it does not
      know; no division is by a constant 0, and no loop's constant step is
      below 1.
    - C10: `parameters` have different names and, as ranks compare them where
      they enter, come with `completion`; those in extents are declared with the
      bound that the extent gives.
    - C9: only ops of this dialect have tensors and tiles as operands or results.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    I64Attr:$num_ranks,
    OptionalAttr<DenseI64ArrayAttr>:$grid,
    OptionalAttr<I64Attr>:$threads,
    UnitAttr:$completion,
    OptionalAttr<Tile_ParameterArrayAttr>:$parameters,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    // FunctionOpInterface.
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }

    // OpAsmOpInterface: arguments print under their tile.name.
    void getAsmBlockArgumentNames(::mlir::Region &region,
                                  ::mlir::OpAsmSetValueNameFn setName);

    /// Blocks of the logical grid; 1 at tensor level.
    int64_t numLogicalBlocks();
    bool isBlockLevel() { return getGrid().has_value(); }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator,
                                       HasParent<"KernelOp">]> {
  let summary = "Ends a kernel's body.";
  let description = [{
    ```mlir
    tile.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Who am I
//===----------------------------------------------------------------------===//

class Tile_IndexOp<string mnemonic, string valueName> : Tile_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
    DeclareOpInterfaceMethods<InferIntRangeInterface,
                              ["inferResultRanges"]>]> {
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      setName(getResult(), "}] # valueName # [{");
    }
  }];
}

def Tile_RankOp : Tile_IndexOp<"rank", "rank"> {
  let summary = "Gives this rank's number.";
  let description = [{
    From 0 to `num_ranks - 1`.

    ```mlir
    %rank = tile.rank
    ```
  }];
}

def Tile_NumRanksOp : Tile_IndexOp<"num_ranks", "num_ranks"> {
  let summary = "Gives the number of ranks.";
  let description = [{
    The kernel's `num_ranks`.

    ```mlir
    %num_ranks = tile.num_ranks
    ```
  }];
  let hasFolder = 1;
}

def Tile_ParameterOp : Tile_IndexOp<"parameter", "parameter"> {
  let summary = "Gives one of the kernel's parameters.";
  let description = [{
    From 0 to the most that the kernel declares.

    ```mlir
    %tokens = tile.parameter "S"
    ```

    Constraints:
    - C1: the kernel has a parameter of this name.
  }];
  let arguments = (ins StrAttr:$name);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}

def Tile_BlockIndexOp : Tile_IndexOp<"block_index", "block"> {
  let summary = "Gives this block's index along one axis of the grid.";
  let description = [{
    Axis 0 varies fastest between blocks of consecutive number.

    ```mlir
    %peer = tile.block_index 1
    ```

    Constraints:
    - C1: the kernel has a grid, and `axis` is one of its axes.
  }];
  let arguments = (ins I64Attr:$axis);
  let assemblyFormat = "$axis attr-dict";
  let hasVerifier = 1;
}

def Tile_ThreadIndexOp : Tile_IndexOp<"thread_index", "thread"> {
  let summary = "Gives this thread's number in its block.";
  let description = [{
    ```mlir
    %thread = tile.thread_index
    ```

    Constraints:
    - C1: the kernel has a grid.
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Shares
//===----------------------------------------------------------------------===//

class Tile_ShareOp<string mnemonic, string valueName>
    : Tile_IndexOp<mnemonic, valueName> {
  let arguments = (ins Index:$total, Index:$rank);
  let assemblyFormat = "$total `on` $rank attr-dict";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Tile_ShareSizeOp : Tile_ShareOp<"share_size", "size"> {
  let summary = "Gives how many of a number of items a rank owns.";
  let description = [{
    Of the balanced partition over the kernel's P ranks: total / P, and one more
    if rank < total % P.

    ```mlir
    %heads = tile.share_size %c30 on %peer
    ```
    - `total`: the items of all ranks together.
    - `rank`: whose share is meant, from 0 to `num_ranks - 1`.

    Constraints:
    - C1: a constant total is at least 0.
    - C2: a constant rank is one of the kernel's ranks.
  }];
}

def Tile_ShareBeginOp : Tile_ShareOp<"share_begin", "begin"> {
  let summary = "Gives the first of a number of items that a rank owns.";
  let description = [{
    Of the balanced partition over the kernel's P ranks: rank * (total / P) plus
    the lesser of rank and total % P. With the share's size it is at most total.

    ```mlir
    %head = tile.share_begin %c30 on %peer
    ```
    - `total`: the items of all ranks together.
    - `rank`: whose share is meant, from 0 to `num_ranks - 1`.

    Constraints:
    - C1: a constant total is at least 0.
    - C2: a constant rank is one of the kernel's ranks.
  }];
  let hasCanonicalizeMethod = 1;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def Tile_SliceOp : Tile_Op<"slice", [Pure, AttrSizedOperandSegments]> {
  let summary = "Makes a tile of a tensor, or of a tile.";
  let description = [{
    The elements from `offsets`, `sizes` of them along each dimension of the
    base, seen through `permutation`: dimension `i` of the tile is dimension
    `permutation[i]` of the slice. A dimension of one element that is not in
    `permutation` is dropped: the tile does not show it.

    ```mlir
    %rows = tile.slice %src[%b, %s, %h, 0] sizes [1, %count, 1, 128]
      permute [0, 2, 1, 3]
      : !tile.tensor<2x2048x32x128xf16> -> !tile.tile<1x1x?x128xf16>
    // Keys in packed queries, keys and values.
    %k = tile.slice %qkv[0, 0, 1, 0, 0] sizes [2, 512, 1, 32, 128]
      permute [0, 1, 3, 4]
      : !tile.tensor<2x512x3x32x128xf16> -> !tile.tile<2x512x32x128xf16>
    %head = tile.slice %k[0, 0, %h, 0] sizes [2, 512, 1, 128]
      : !tile.tile<2x512x32x128xf16> -> !tile.tile<2x512x1x128xf16>
    ```
    - `base`: the tensor or tile sliced.
    - `offsets`: the first element along each dimension, constant or not.
    - `sizes`: how many elements along each dimension, constant or not.

    Offsets and sizes that are computed are checked where a move uses the tile:
    against the tile that is sliced, and against the extents of the rank whose
    copy of the tensor is read or written; by the compiler where it can, else by
    the emulator. `-tile-fold-views` makes one slice of the tensor of slices of
    tiles.

    Constraints:
    - C1: one offset and one size for each dimension, and one operand for each
      that is computed.
    - C2: each constant size, written or an operand, is from 0 to the most that
      any rank has along the dimension, or to the base tile's if that is
      constant.
    - C3: each constant offset, written or an operand, is at least 0, and the
      slice ends within the same.
    - C4: `permutation`, if there, has no dimension twice, and every one but
      those of constant size 1, which it may leave out.
    - C5: the result has the permuted sizes, the base's element type, and is
      symmetric exactly when the base is.
    - C6: the base is an argument of the kernel, or made from one by at most 63
      slices and transposes.
    - C7: `most`, which passes add, bounds each size: a constant one is its own,
      and others lie within the base.
  }];
  let arguments = (ins
    Tile_ViewType:$base,
    Variadic<Index>:$offsets,
    Variadic<Index>:$sizes,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$static_sizes,
    OptionalAttr<DenseI64ArrayAttr>:$permutation,
    OptionalAttr<DenseI64ArrayAttr>:$most);
  let results = (outs Tile_TileType:$tile);
  let assemblyFormat = [{
    $base `` custom<DynamicIndexList>($offsets, $static_offsets)
    `sizes` custom<DynamicIndexList>($sizes, $static_sizes)
    (`most` $most^)? (`permute` $permutation^)? attr-dict
    `:` type($base) `->` type($tile)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$base,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes,
    CArg<"::std::optional<::llvm::ArrayRef<int64_t>>", "{}">:$permutation,
    CArg<"::std::optional<::llvm::ArrayRef<int64_t>>", "{}">:$most)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The offsets and sizes, constants as attributes.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
    /// A bound of each size; the size itself if it is constant.
    ::llvm::SmallVector<int64_t> getMostSizes();
    /// The tensor that the tile is of.
    ::mlir::Value getTensor() { return tensorOf(getTile()); }
    /// The dimensions that the tile shows, in its order.
    ::llvm::SmallVector<int64_t> getPermutationOrIdentity();
  }];
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Sees a tile with its dimensions in another order.";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the operand.
    Nothing moves: `-tile-fold-views` folds it into the slice.

    ```mlir
    %turned = tile.transpose %rows [0, 2, 1, 3]
      : !tile.tile<1x64x1x128xf16> -> !tile.tile<1x1x64x128xf16>
    ```
    - `operand`: the tile seen.

    Constraints:
    - C1: `permutation` is one, of as many dimensions as the operand has.
    - C2: the operand is made from an argument of the kernel by at most 63
      slices and transposes.
  }];
  let arguments = (ins Tile_TileType:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat =
    "$operand $permutation attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

include "dialects/Tile/TileTransfers.td"

#endif // TILEWIRE_TILE_TD
