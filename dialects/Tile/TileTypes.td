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
    A *tensor*, `!tile.tensor`, is in this rank's own memory or, if symmetric, at
    the same offset of every rank's symmetric heap. A *tile*, `!tile.tile`, is a
    slice of a tensor, seen through a permutation of its dimensions. A *transfer*
    moves the elements of one tile to another of equal shape, here or on a peer.

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

def Tile_ParameterAttr : Tile_Attr<"Parameter", "parameter"> {
  let summary = "A number that each launch gives a kernel.";
  let description = [{
    Every rank gives the same, from 0 to `most`; an extent may be one. Its name
    is a word: letters, digits and underscores, not a digit first, and no word of
    a type such as `f16`.

    ```mlir
    #tile.parameter<"S", most = 131072>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$most);
  let assemblyFormat = "`<` $name `,` `most` `=` $most `>`";
  let genVerifyDecl = 1;
}

def Tile_ParameterArrayAttr : TypedArrayAttrBase<Tile_ParameterAttr,
                                                 "array of parameters">;

def Tile_TensorType : TypeDef<Tile_Dialect, "Tensor"> {
  let mnemonic = "tensor";
  let summary = "A tensor that launches are given.";
  let description = [{
    Dense, the last dimension fastest, unless it has strides; in each rank's own memory or, if
    `symmetric`, at the same offset of every rank's symmetric heap, where peers
    reach it.

    ```mlir
    !tile.tensor<2x32x2048x128xf16>
    !tile.tensor<2xshare(30)x8192x128xf16, symmetric>
    ```

    An extent is a number, or a parameter of the kernel with its bound,
    `S[131072]`, or `share(...)` of one: a rank's part of the balanced partition
    over the kernel's ranks. Rank r of P has n / P of n, one more if r < n % P.
    Strides follow from each rank's own extents; a symmetric tensor has room for
    the largest on every rank.

    ```mlir
    !tile.tensor<2xshare(S[131072])x32x128xf16>
    ```

    A view of other memory has `strides`: how many elements further on the next
    index of each dimension is. They are numbers, the same on every rank, from 0,
    where one element stands for all of a dimension. A tensor that is written has
    no two indices at one place: from the least on, each stride of a dimension of
    more than one element is beyond all that those before reach.

    ```mlir
    // Queries in packed queries, keys and values.
    !tile.tensor<2x512x32x128xf16, strides [6291456, 12288, 128, 1]>
    ```

    It has 1 to 64 dimensions, and fewer than 2^63 bytes also when an extent of 0
    is counted as 1 and a share as the whole, and so has what strides reach.
    Elements are f16, bf16, f32, f64,
    f8E4M3FN, f8E5M2, i8, ui8, i16, i32 or i64.
  }];
  let parameters = (ins
    ArrayRefParameter<"::tilewire::tile::TensorExtent">:$extents,
    "::mlir::Type":$elementType, "bool":$symmetric,
    ArrayRefParameter<"int64_t">:$strides);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getExtents().size(); }
    bool hasStrides() const { return !getStrides().empty(); }
    unsigned getElementTypeBitWidth() const {
      return getElementType().getIntOrFloatBitWidth();
    }
    /// The most elements that any of so many ranks has, from the first to the
    /// last in memory.
    int64_t mostSpan(int64_t numRanks) const;
    /// Whether no two indices are proved to be at one place.
    bool hasDistinctElements(int64_t numRanks) const;
  }];
}

def Tile_TileType : TypeDef<Tile_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "A slice of a tensor, seen through a permutation.";
  let description = [{
    Shape and element type are those that transfers see, after permutation; a
    size that is computed is `?`. `symmetric` says that the tensor is.

    ```mlir
    !tile.tile<1x64x128xf16>
    !tile.tile<1x?x128xf16, symmetric>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, "bool":$symmetric);
  let hasCustomAssemblyFormat = 1;
}

def Tile_ViewType : AnyTypeOf<[Tile_TensorType, Tile_TileType]>;

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

#endif // TILEWIRE_TILETYPES_TD
