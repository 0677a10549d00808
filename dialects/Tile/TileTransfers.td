//===- TileTransfers.td - moves of tiles, and their order -*- tablegen -*-===//
//
// Transfers, what orders and checks them, and the collectives; included by
// Tile.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TILETRANSFERS_TD
#define TILEWIRE_TILETRANSFERS_TD

include "dialects/Tile/TileTypes.td"

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

def Tile_ReadTile : Arg<Tile_TileType, "the tile read", [MemRead]>;
def Tile_WrittenTile : Arg<Tile_TileType, "the tile written", [MemWrite]>;

def Tile_PutBlockOp : Tile_Op<"put_block"> {
  let summary = "Puts a tile to a peer, all threads of the block together.";
  let description = [{
    The peer sees the elements after a barrier or the kernel's completion. Moves
    of one block take effect in program order: `-tile-insert-syncs` puts a
    `tile.sync` where one touches what another has moved.

    ```mlir
    tile.put_block %rows to %place on %peer
      : !tile.tile<1x64x128xf16> -> !tile.tile<1x64x128xf16, symmetric>
    ```
    - `source`: the tile read, on this rank.
    - `destination`: the tile written, on the peer.
    - `peer`: the rank written to; this rank itself is allowed.

    Constraints:
    - C1: source and destination have equal shape and element type. (Sizes that
      are computed are compared where they are proved equal or not, else by the
      emulator.)
    - C2: the destination is symmetric.
    - C3: a constant peer is one of the kernel's ranks.
    - C4: the kernel has a grid.
    - C5: tiles, peer, and the loops and branches around are the same for all
      threads of the block.
    - C6: source and destination are identical, or they do not overlap where the
      peer is this rank; what is known only when the kernel runs, the emulator
      checks.
    - C7: the destination's tensor has no two indices at one place.
  }];
  let arguments = (ins Tile_ReadTile:$source, Tile_WrittenTile:$destination,
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
    - C3: tiles, and the loops and branches around, are the same for all threads
      of the block.
    - C4: source and destination are identical or do not overlap; what is known
      only when the kernel runs, the emulator checks.
    - C5: the destination's tensor has no two indices at one place.
  }];
  let arguments = (ins Tile_ReadTile:$source, Tile_WrittenTile:$destination,
                       OptionalAttr<Tile_PlanAttr>:$plan);
  let assemblyFormat = [{
    $source `to` $destination (`plan` $plan^)? attr-dict
    `:` type($source) `->` type($destination)
  }];
  let hasVerifier = 1;
}

def Tile_PutGridOp : Tile_Op<"put_grid", [
    SingleBlock, SingleBlockImplicitTerminator<"YieldOp">,
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<InferIntRangeInterface,
                              ["inferResultRanges"]>]> {
  let summary = "Puts a tile to every peer, all blocks of the grid together.";
  let description = [{
    The region gives the source and destination tile for one peer. Blocks that
    run at the same time write to different peers, starting with the next rank,
    so that no link carries all of the traffic at any moment.

    ```mlir
    tile.kernel @spread_columns(
        %src: !tile.tensor<64x32xf16>, %dst: !tile.tensor<256x8xf16, symmetric>)
        attributes {num_ranks = 4 : i64, completion} {
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %rank = tile.rank
      %row = arith.muli %rank, %c64 : index
      tile.put_grid %peer {
        %column = arith.muli %peer, %c8 : index
        %part = tile.slice %src[0, %column] sizes [64, 8]
          : !tile.tensor<64x32xf16> -> !tile.tile<64x8xf16>
        %place = tile.slice %dst[%row, 0] sizes [64, 8]
          : !tile.tensor<256x8xf16, symmetric>
            -> !tile.tile<64x8xf16, symmetric>
        tile.yield %part to %place
          : !tile.tile<64x8xf16> -> !tile.tile<64x8xf16, symmetric>
      }
      tile.return
    }
    ```

    Constraints:
    - C1: the region yields tiles of equal shape and element type.
    - C2: the yielded destination is symmetric.
    - C3: it stands directly in the body of a kernel without a grid.
    - C4: the region has one argument, the peer, and only computes: nothing in
      it has effects but `tile.check`.
    - C5: source and destination do not overlap on any rank, as all ranks read
      and write at the same time; what can't be proved is refused.
    - C6: the destination's tensor has no two indices at one place.
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
// Order
//===----------------------------------------------------------------------===//

def Tile_SyncOp : Tile_Op<"sync", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until every thread of the block is here.";
  let description = [{
    What the block's threads read and wrote before it is done before anything
    after it. `-tile-insert-syncs` inserts the syncs that moves of the block need
    among each other, so a program rarely says it.

    ```mlir
    tile.sync
    ```

    Constraints:
    - C1: the kernel has a grid.
    - C2: the loops and branches around are the same for all threads of the
      block.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_BarrierAllOp : Tile_Op<"barrier_all", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits until every block of every rank is here.";
  let description = [{
    What any block stored before it, here or on a peer, is seen after it by
    every block of every rank. In a kernel with a grid all of its blocks must be
    resident at once: a launch that can't give them is refused. In one without,
    the blocks are those that were started, however many;
    `-tile-insert-barriers` puts it between collectives that need it.

    ```mlir
    tile.barrier_all
    ```

    Constraints:
    - C1: the loops and branches around are the same for all blocks of all
      ranks. (A kernel without a grid has none.)
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_CheckOp : Tile_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "States what must hold for the program to make sense.";
  let description = [{
    Inserted by `-tile-check-tiles` where the compiler could neither prove nor
    refuse. The emulator checks it in every thread, a GPU where the world was
    asked to; otherwise it costs nothing there and does nothing.

    ```mlir
    tile.check %inside, %row, "offset 0 of the tile of 'src' to be at most 60"
    ```
    - `condition`: what must hold.
    - `value`: the number that the error says was got.
    - `expected`: what the error says was expected.
  }];
  let arguments = (ins I1:$condition, Index:$value, StrAttr:$expected);
  let assemblyFormat = "$condition `,` $value `,` $expected attr-dict";
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
    dimension `i` is the source's dimension `permutation[i]`. Both cuts are
    balanced partitions, of any extent: a rank may have one item more than
    another, or none.

    Source and destination are tensors, or tiles: parts of tensors, as every
    rank has them. A tile's sizes are numbers or, where a dimension is cut over
    the ranks, this rank's share; every rank takes the destination on a peer to
    have the peer's.

    Before it rank r holds its share of S and all of H, after it all of S and its
    share of H, for `[B, H, S, D]` with scatter 1 and gather 2.

    With `replicas` of R, 1 unless given, there are as many parts as R goes into
    `num_ranks`, all of one size, and ranks p * R to p * R + R - 1 all get part
    `p`. This is how each of few key and value heads goes to all ranks that need
    it.

    ```mlir
    tile.all_to_all %src to %dst scatter 2 gather 1 permute [0, 2, 1, 3]
      : !tile.tensor<2xshare(8192)x30x128xf16>
        -> !tile.tensor<2xshare(30)x8192x128xf16, symmetric>
    // The keys of packed queries, keys and values.
    %s = tile.share_size %c8192 on %rank
    %k = tile.slice %qkv[0, 0, 1, 0, 0] sizes [2, %s, 1, 30, 128]
      permute [0, 1, 3, 4]
      : !tile.tensor<2xshare(8192)x3x30x128xf16> -> !tile.tile<2x?x30x128xf16>
    tile.all_to_all %k to %dst scatter 2 gather 1 permute [0, 2, 1, 3]
      : !tile.tile<2x?x30x128xf16>
        -> !tile.tensor<2xshare(30)x8192x128xf16, symmetric>
    ```

    Two heads on four ranks, one on each:

    ```mlir
    tile.all_to_all %src to %dst scatter 1 gather 2 permute [0, 1, 2, 3] replicas 2
      : !tile.tensor<2x2xshare(8192)x128xf16>
        -> !tile.tensor<2x1x8192x128xf16, symmetric>
    ```
    - `source`: this rank's part before.
    - `destination`: this rank's part after, written by all.

    Constraints:
    - C1: `scatter` and `gather` are two different dimensions of the source.
    - C2: `permutation` is one.
    - C3: the source has all of `scatter`, and of each other dimension but
      `gather` as much on every rank; the destination likewise has all of
      `gather`.
    - C4: the destination's extents are the source's along the permuted
      dimensions, a share of the source's along `scatter`, and all ranks'
      together along `gather`. A number n stands for a share of n times the
      ranks. With more than one replica it has along `scatter` the number of one
      part.
    - C5: element types are equal.
    - C6: the destination is symmetric.
    - C7: the kernel has no grid.
    - C8: source and destination are of different tensors, and not both may
      alias: all ranks read and write at the same time.
    - C9: a tile's sizes are constants or `tile.parameter`, or `tile.share_size`
      of either on `tile.rank`. The destination's offsets are constants: peers write to it.
    - C10: the destination's tensor has no two indices at one place.
    - C11: `replicas` is at least 1, and the ranks are a multiple of it. With more
      than one, the source's extent along `scatter` is a number, a multiple of
      the number of parts.
  }];
  let arguments = (ins
    Arg<Tile_ViewType, "what is read", [MemRead]>:$source,
    Arg<Tile_ViewType, "what is written", [MemWrite]>:$destination,
    I64Attr:$scatter, I64Attr:$gather, DenseI64ArrayAttr:$permutation,
    DefaultValuedAttr<I64Attr, "1">:$replicas,
    OptionalAttr<Tile_PlanAttr>:$plan);
  let assemblyFormat = [{
    $source `to` $destination `scatter` $scatter `gather` $gather
    `permute` $permutation (`replicas` $replicas^)? (`plan` $plan^)? attr-dict
    `:` type($source) `->` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Parts that the source is cut into, on so many ranks.
    int64_t numParts(int64_t numRanks) {
      return numRanks / int64_t(getReplicas());
    }
  }];
}

#endif // TILEWIRE_TILETRANSFERS_TD
