//===- Tile.td - the tile dialect -------------------------*- tablegen -*-===//
//
// What a user of Tilewire means: tensors, tiles of them, and moves of tiles
// between ranks. Types, attributes and ops; constraints are numbered and cited
// where they are checked (TileKernel.cpp, TileOps.cpp) and tested (tests/dialects).
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TILE_TD
#define TILEWIRE_TILE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tilewire::tile";
  let summary = "Moves of tiles between the ranks of a program.";
  let description = [{
    A *tensor* is a ranked memref with a static shape, either in this rank's own
    memory or, with memory space `#tile.symmetric`, at the same offset of every
    rank's symmetric heap. A *tile* is a slice of a tensor, seen through a
    permutation of its dimensions. A *transfer* moves the elements of one tile
    to another of equal shape, here or on a peer.

    A `tile.kernel` is written at one of two levels. At **block level** it has a
    grid and a number of threads, and its body says what one block does. At
    **tensor level** it has neither, its body holds collectives, and the
    compiler plans everything.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

class Tile_Attr<string name, string mnemonic_> : AttrDef<Tile_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Tile_SymmetricAttr : Tile_Attr<"Symmetric", "symmetric"> {
  let summary = "Memory space of tensors that every rank can address.";
  let description = [{
    Such a tensor lies at the same offset of every rank's symmetric heap.

    ```mlir
    memref<2x8x8192x128xf16, #tile.symmetric>
    ```
  }];
}

def Tile_Order : I32EnumAttr<"Order", "which side of a transfer is walked in "
                                      "the order of its memory", [
  I32EnumAttrCase<"Destination", 0, "destination">,
  I32EnumAttrCase<"Source", 1, "source">
]> {
  let cppNamespace = "::tilewire::tile";
  let genSpecializedAttr = 0;
}

def Tile_OrderAttr : EnumAttr<Tile_Dialect, Tile_Order, "order">;

def Tile_PlanAttr : Tile_Attr<"Plan", "plan"> {
  let summary = "How a transfer is carried out.";
  let description = [{
    Set by `-tile-plan-transfers` where the program leaves it open, and kept
    where the program says it.

    ```mlir
    #tile.plan<vector = 8, unroll = 4, order = destination>
    ```
    - `vector`: elements moved by one load and one store.
    - `unroll`: loads in flight before the first store.
    - `order`: whose memory order consecutive threads follow.
  }];
  let parameters = (ins "int64_t":$vector, "int64_t":$unroll, "Order":$order);
  let assemblyFormat = "`<` struct($vector, $unroll, $order) `>`";
  let genVerifyDecl = 1;
}

def Tile_TileType : TypeDef<Tile_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "A slice of a tensor, seen through a permutation.";
  let description = [{
    Shape and element type are those that transfers see, after permutation;
    `symmetric` says that the tensor is.

    ```mlir
    !tile.tile<1x64x128xf16>
    !tile.tile<1x64x128xf16, symmetric>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, "bool":$symmetric);
  let hasCustomAssemblyFormat = 1;
}

def Tile_Tensor : Type<
  CPred<"::tilewire::tile::isTensorType($_self)">,
  "a ranked memref of static shape and fewer than 2^63 bytes, identity layout, "
  "a supported element type and memory space none or #tile.symmetric",
  "::mlir::MemRefType">;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

def Tile_KernelOp : Tile_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove,
    OpAsmOpInterface, HasParent<"::mlir::ModuleOp">]> {
  let summary = "Is the program that every rank runs.";
  let description = [{
    Arguments are the tensors a launch is given. With `grid` and `threads` the
    body is what one block of the grid does (block level); without them it holds
    collectives (tensor level). The grid is logical: how many of its blocks run
    at once is the runtime's choice.

    With `completion` a rank enters when every rank has entered and leaves when
    all data have arrived, so that the stream alone orders it and its
    neighbours.

    ```mlir
    tile.kernel @pre_attn_all2all(
        %src: memref<2x32x2048x128xf16> {tile.name = "src"},
        %dst: memref<2x8x8192x128xf16, #tile.symmetric> {tile.name = "dst"})
        attributes {num_ranks = 4 : i64, completion} {
      tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2, 3]
        : memref<2x32x2048x128xf16>
          -> memref<2x8x8192x128xf16, #tile.symmetric>
      tile.return
    }
    ```

    Constraints:
    - C1: `num_ranks` is from 1 to 72.
    - C2: `grid` has 1 to 3 axes, each from 0 to 2^31 - 1, and so is their
      product.
    - C3: `threads` is from 1 to 1024.
    - C4: a `grid` comes with `threads`. (Without a grid `threads` is the
      planner's choice, or the program's if it says so.)
    - C5: every argument is a tensor, and there are no results.
    - C6: with a grid the body holds no collective; without one it holds
      nothing else.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    I64Attr:$num_ranks,
    OptionalAttr<DenseI64ArrayAttr>:$grid,
    OptionalAttr<I64Attr>:$threads,
    UnitAttr:$completion,
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
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
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
// Tiles
//===----------------------------------------------------------------------===//

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "Makes a tile of a tensor.";
  let description = [{
    The elements from `offsets`, `sizes` of them along each dimension of the
    tensor, seen through `permutation`: dimension `i` of the tile is dimension
    `permutation[i]` of the slice.

    ```mlir
    %rows = tile.slice %src[%b, %s, %h, 0] sizes [1, 64, 1, 128]
      permute [0, 2, 1, 3]
      : memref<2x2048x32x128xf16> -> !tile.tile<1x1x64x128xf16>
    ```
    - `tensor`: the tensor sliced.
    - `offsets`: the first element along each dimension, constant or not.

    Constraints:
    - C1: one offset and one size for each dimension.
    - C2: each size is from 0 to the dimension's extent.
    - C3: each constant offset is at least 0, and the slice ends within the
      dimension.
    - C4: `permutation`, if there, is one.
    - C5: the result has the permuted sizes, the tensor's element type, and is
      symmetric exactly when the tensor is.
    - C6: the tensor is an argument of the kernel.
  }];
  let arguments = (ins
    Tile_Tensor:$tensor,
    Variadic<Index>:$offsets,
    DenseI64ArrayAttr:$static_offsets,
    DenseI64ArrayAttr:$sizes,
    OptionalAttr<DenseI64ArrayAttr>:$permutation);
  let results = (outs Tile_TileType:$tile);
  let assemblyFormat = [{
    $tensor `` custom<DynamicIndexList>($offsets, $static_offsets)
    `sizes` $sizes (`permute` $permutation^)? attr-dict
    `:` type($tensor) `->` type($tile)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$tensor,
    "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
    "::llvm::ArrayRef<int64_t>":$sizes)>];
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The offsets, constants as attributes.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedOffsets();
    /// The permutation, the identity where there is none.
    ::llvm::SmallVector<int64_t> getPermutationOrIdentity();
  }];
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Sees a tile with its dimensions in another order.";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the operand.
    Nothing moves: `-tile-fold-transposes` folds it into the slice.

    ```mlir
    %turned = tile.transpose %rows [0, 2, 1, 3]
      : !tile.tile<1x64x1x128xf16> -> !tile.tile<1x1x64x128xf16>
    ```
    - `operand`: the tile seen.

    Constraints:
    - C1: `permutation` is one, of as many dimensions as the operand has.
  }];
  let arguments = (ins Tile_TileType:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat =
    "$operand $permutation attr-dict `:` type($operand) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

def Tile_PutBlockOp : Tile_Op<"put_block"> {
  let summary = "Puts a tile to a peer, all threads of the block together.";
  let description = [{
    The peer sees the elements after a barrier or the kernel's completion.

    ```mlir
    tile.put_block %rows to %place on %peer
      : !tile.tile<1x64x128xf16> -> !tile.tile<1x64x128xf16, symmetric>
    ```
    - `source`: the tile read, on this rank.
    - `destination`: the tile written, on the peer.
    - `peer`: the rank written to; this rank itself is allowed.

    Constraints:
    - C1: source and destination have equal shape and element type.
    - C2: the destination is symmetric.
    - C3: a constant peer is one of the kernel's ranks.
    - C4: the kernel has a grid.
    - C5: tiles, peer, and the loops around are the same for all threads.
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$destination,
                       Index:$peer, OptionalAttr<Tile_PlanAttr>:$plan);
  let assemblyFormat = [{
    $source `to` $destination `on` $peer (`plan` $plan^)? attr-dict
    `:` type($source) `->` type($destination)
  }];
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy"> {
  let summary = "Copies a tile on this rank, all threads of the block together.";
  let description = [{
    ```mlir
    tile.copy %rows to %place : !tile.tile<1x64xf16> -> !tile.tile<1x64xf16>
    ```
    - `source`: the tile read.
    - `destination`: the tile written, on this rank.

    Constraints:
    - C1: source and destination have equal shape and element type.
    - C2: the kernel has a grid.
    - C3: tiles and the loops around are the same for all threads.
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$destination,
                       OptionalAttr<Tile_PlanAttr>:$plan);
  let assemblyFormat = [{
    $source `to` $destination (`plan` $plan^)? attr-dict
    `:` type($source) `->` type($destination)
  }];
  let hasVerifier = 1;
}

def Tile_PutGridOp : Tile_Op<"put_grid", [
    SingleBlock, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "Puts a tile to every peer, all blocks of the grid together.";
  let description = [{
    The region gives the source and destination tile for one peer. Blocks that
    run at the same time write to different peers, starting with the next rank,
    so that no link carries all of the traffic at any moment.

    ```mlir
    tile.put_grid %peer {
      %first = arith.muli %peer, %c8 : index
      %part = tile.slice %src[0, %first] sizes [64, 8]
        : memref<64x32xf16> -> !tile.tile<64x8xf16>
      %place = tile.slice %dst[%rank, 0, 0] ...
      tile.yield %part to %place : ...
    }
    ```

    Constraints:
    - C1: the region yields tiles of equal shape and element type.
    - C2: the yielded destination is symmetric.
    - C3: it stands directly in the body of a kernel without a grid.
    - C4: the region has one argument, the peer, and only computes: nothing in
      it has effects.
  }];
  let arguments = (ins OptionalAttr<Tile_PlanAttr>:$plan);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getPeer() { return getBody().getArgument(0); }
    YieldOp getYield();
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator,
                                     HasParent<"PutGridOp">]> {
  let summary = "Names the tiles that a `tile.put_grid` moves.";
  let description = [{
    ```mlir
    tile.yield %part to %place
      : !tile.tile<64x8xf16> -> !tile.tile<64x8xf16, symmetric>
    ```
    - `source`: the tile read, on this rank.
    - `destination`: the tile written, on the peer.
  }];
  let arguments = (ins Tile_TileType:$source, Tile_TileType:$destination);
  let assemblyFormat = [{
    $source `to` $destination attr-dict
    `:` type($source) `->` type($destination)
  }];
  let builders = [OpBuilder<(ins), [{ (void)$_builder; (void)$_state; }]>];
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

def Tile_BarrierAllOp : Tile_Op<"barrier_all"> {
  let summary = "Waits until every block of every rank is here.";
  let description = [{
    What any block stored before it, here or on a peer, is seen after it by
    every block of every rank. All blocks of the grid must be resident at once:
    a launch that can't give them is refused.

    ```mlir
    tile.barrier_all
    ```

    Constraints:
    - C1: the kernel has a grid, and the barrier is directly in its body, so
      that all blocks meet it alike.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

def Tile_AllToAllOp : Tile_Op<"all_to_all"> {
  let summary = "Scatters one dimension over the ranks and gathers another.";
  let description = [{
    Every rank cuts `source` into `num_ranks` parts along dimension `scatter`
    and sends part `p` to rank `p`, which lays the parts that it receives one
    after another, in rank order, along dimension `gather`. The destination's
    dimension `i` is the source's dimension `permutation[i]`.

    With P ranks, scatter 1 and gather 2, for `[B, H, S, D]` over H and S:

    | rank r | holds |
    |---|---|
    | before | heads `0 .. H`, sequence `r S/P .. (r + 1) S/P` |
    | after  | heads `r H/P .. (r + 1) H/P`, sequence `0 .. S` |

    ```mlir
    tile.all_to_all %src to %dst scatter 2 gather 1 permute [0, 2, 1, 3]
      : memref<2x2048x32x128xf16>
        -> memref<2x8x8192x128xf16, #tile.symmetric>
    ```
    - `source`: this rank's part before.
    - `destination`: this rank's part after, written by all.

    Constraints:
    - C1: `scatter` and `gather` are two different dimensions of the source.
    - C2: `permutation` is one.
    - C3: the source's extent along `scatter` is a multiple of the ranks.
    - C4: the destination's extent is the source's along the permuted
      dimension, divided by the ranks along `scatter` and multiplied by them
      along `gather`.
    - C5: element types are equal.
    - C6: the destination is symmetric.
    - C7: the kernel has no grid.
  }];
  let arguments = (ins
    Tile_Tensor:$source, Tile_Tensor:$destination,
    I64Attr:$scatter, I64Attr:$gather, DenseI64ArrayAttr:$permutation,
    OptionalAttr<Tile_PlanAttr>:$plan);
  let assemblyFormat = [{
    $source `to` $destination `scatter` $scatter `gather` $gather
    `permute` $permutation (`plan` $plan^)? attr-dict
    `:` type($source) `->` type($destination)
  }];
  let hasVerifier = 1;
}

#endif // TILEWIRE_TILE_TD
