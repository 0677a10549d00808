//===- TileTypes.td - the tile dialect's types ------------*- tablegen -*-===//
//
// The dialect itself, its attributes and types, and the base of its ops; for
// Tile.td and TileTransfers.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TILETYPES_TD
#define TILEWIRE_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

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

    Names reach the generated text, made legal in C++ and told apart where two
    are alike. A value is named by its location, a loop's counter by the loop's:

    ```mlir
    %row = arith.remui %block, %c64 : index loc("row")
    ```

    Tensors and their dimensions are named by attributes of the kernel's
    arguments: see `tile.kernel`.
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
  "a ranked memref of static shape, 1 to 64 dimensions and fewer than 2^63 "
  "bytes, identity layout, "
  "a supported element type and memory space none or #tile.symmetric",
  "::mlir::MemRefType">;

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // TILEWIRE_TILETYPES_TD
