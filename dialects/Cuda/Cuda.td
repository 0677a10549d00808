//===- Cuda.td - the cuda dialect -------------------------*- tablegen -*-===//
//
// What generated CUDA text can say: one op is one construct of the text, and a
// call of the prelude is one op. The emitter spells these and decides nothing.
// Control and arithmetic are upstream scf and arith.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_CUDA_TD
#define TILEWIRE_CUDA_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Cuda_Dialect : Dialect {
  let name = "cuda";
  let cppNamespace = "::tilewire::cuda";
  let summary = "The constructs of generated CUDA text.";
  let description = [{
    A value's name in the text is its name location. Offsets count elements and
    are `index` until `-cuda-narrow-indices` gives each value the narrowest
    width that a range analysis proves, `i32` (printed `unsigned`) or `i64`
    (printed `size_t`).
  }];
  let useDefaultTypePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class Cuda_Type<string name, string mnemonic_> : TypeDef<Cuda_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Cuda_PtrType : Cuda_Type<"Ptr", "ptr"> {
  let summary = "A pointer to elements of 8, 16, 32 or 64 bits.";
  let description = [{
    Printed `tw::b16 *`, and `const tw::b16 *` for a parameter never written.

    ```mlir
    !cuda.ptr<16>
    ```
  }];
  let parameters = (ins "unsigned":$bits);
  let assemblyFormat = "`<` $bits `>`";
  let genVerifyDecl = 1;
}

def Cuda_VecType : Cuda_Type<"Vec", "vec"> {
  let summary = "Consecutive elements moved by one access of 1 to 16 bytes.";
  let description = [{
    Printed `tw::Vector<tw::b16, 8>`.

    ```mlir
    !cuda.vec<8, 16>
    ```
  }];
  let parameters = (ins "unsigned":$count, "unsigned":$bits);
  let assemblyFormat = "`<` $count `,` $bits `>`";
  let genVerifyDecl = 1;
}

def Cuda_ArrayType : Cuda_Type<"Array", "array"> {
  let summary = "An array of vectors in registers.";
  let description = [{
    Indexed only by the counters of unrolled loops.

    ```mlir
    !cuda.array<4, !cuda.vec<8, 16>>
    ```
  }];
  let parameters = (ins "unsigned":$size, "VecType":$element);
  let assemblyFormat = "`<` $size `,` $element `>`";
  let genVerifyDecl = 1;
}

def Cuda_DivisorType : Cuda_Type<"Divisor", "divisor"> {
  let summary = "A number that others are divided by, with its reciprocal.";
  let description = [{
    Printed `tw::Divisor`.

    ```mlir
    !cuda.divisor
    ```
  }];
}

def Cuda_Index : AnyTypeOf<[Index, I32, I64], "index, i32 or i64">;

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

class Cuda_Op<string mnemonic, list<Trait> traits = []>
    : Op<Cuda_Dialect, mnemonic, traits>;

def Cuda_KernelOp : Cuda_Op<"kernel", [
    FunctionOpInterface, IsolatedFromAbove, OpAsmOpInterface,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "Is an extern \"C\" __global__ function.";
  let description = [{
    The table of ranks is the implicit first parameter, printed `world`.

    ```mlir
    cuda.kernel @fill(%dst: !cuda.ptr<16> {tile.name = "dst",
        cuda.tensor = !tile.tensor<64xf16, symmetric>, cuda.written})
        attributes {num_ranks = 4 : i64, threads = 256 : i64,
                    max_blocks = 64 : i64} {
      cuda.return
    }
    ```
    - `threads`: threads per block, the launch bound.
    - `max_blocks`: blocks that have work; the grid is never larger.
    - `parameters`: numbers that each launch gives, arguments after the pointers.
    - `parameter_names`: what the text calls them, where that is another name.
    - `needs_all_blocks`: the grid is exactly `max_blocks`, co-resident.

    Constraints:
    - C1: every argument is a pointer with the tensor it points to, of the same
      element width, and there are no results.
    - C2: `num_ranks` is from 1 to 72, `threads` from 1 to 1024 and `max_blocks`
      from 1 to 2^31 - 1.
    - C3: waits are numbered from 0 in the order of the body.
    - C4: `cuda.enter_all` is the first wait and `cuda.leave_all` the last, each
      once, and neither is there without the other.
    - C5: there are at most 1,024 arguments, they have no attributes but those
      above and `tile.dims`, which has a name for each dimension, and no name is
      longer than 1,024 characters.
    - C7: `parameters` have different names, and those in extents are declared
      with the bound that the extent gives; there are as many names.
    - C6: neither the kernel nor an op in it has attributes that it does not
      know; no division is by a constant 0, and no loop's constant step is
      below 1.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    I64Attr:$num_ranks, I64Attr:$threads, I64Attr:$max_blocks,
    UnitAttr:$needs_all_blocks,
    OptionalAttr<ArrayAttr>:$parameters,
    OptionalAttr<StrArrayAttr>:$parameter_names,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    void getAsmBlockArgumentNames(::mlir::Region &region,
                                  ::mlir::OpAsmSetValueNameFn setName);

    /// The tensor that parameter `number` is.
    ::tilewire::tile::TensorType getTensor(unsigned number);
    /// Whether the text passes the parameter called `name` in 32 bits.
    bool isNarrow(::mlir::StringAttr name);
    /// What the text calls the parameter called `name`.
    ::llvm::StringRef getSpelling(::mlir::StringAttr name);
    /// The parameter's name in the text.
    ::llvm::StringRef getParameterName(unsigned number);
    /// Whether any rank writes to the tensor.
    bool isWritten(unsigned number);
  }];
}

def Cuda_ReturnOp : Cuda_Op<"return", [Pure, Terminator,
                                       HasParent<"KernelOp">]> {
  let summary = "Ends a kernel's body.";
  let description = [{
    ```mlir
    cuda.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Builtin variables
//===----------------------------------------------------------------------===//

class Cuda_BuiltinOp<string mnemonic, string spelling, string valueName>
  : Cuda_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                    ["inferResultRanges"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Is `" # spelling # "`.";
  let description = "```mlir\n%0 = cuda." # mnemonic # " : index\n```\n" #
                    "Constraints:\n- C1: a cuda.kernel stands around it.";
  let hasVerifier = 1;
  let results = (outs Cuda_Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      setName(getResult(), "}] # valueName # [{");
    }
  }];
}

def Cuda_ThreadIndexOp : Cuda_BuiltinOp<"thread_index", "threadIdx.x", "thread">;
def Cuda_BlockIndexOp : Cuda_BuiltinOp<"block_index", "blockIdx.x", "block">;
def Cuda_NumBlocksOp : Cuda_BuiltinOp<"num_blocks", "gridDim.x", "num_blocks">;
def Cuda_RankOp : Cuda_BuiltinOp<"rank", "world.rank", "rank">;

//===----------------------------------------------------------------------===//
// Divisions by what is known when the kernel runs
//===----------------------------------------------------------------------===//

def Cuda_DivisorOp : Cuda_Op<"divisor", [Pure]> {
  let summary = "Prepares divisions by a number, `tw::Divisor`.";
  let description = [{
    ```mlir
    %by = cuda.divisor %heads
    ```
    - `divisor`: the number; by 0 nothing is divided.
  }];
  let arguments = (ins I32:$divisor);
  let results = (outs Cuda_DivisorType:$result);
  let assemblyFormat = "$divisor attr-dict";
}

class Cuda_DivideOp<string mnemonic, string spelling>
    : Cuda_Op<mnemonic, [Pure]> {
  let summary = "Divides by a prepared number, `" # spelling # "`.";
  let description = [{
    The dividend is below 2^31, as `-cuda-use-reciprocals` proves.

    ```mlir
    %0 = cuda.}] # mnemonic # [{ %vector, %by
    ```
    - `dividend`: the number divided.
    - `divisor`: by what.
  }];
  let arguments = (ins I32:$dividend, Cuda_DivisorType:$divisor);
  let results = (outs I32:$result);
  let assemblyFormat = "$dividend `,` $divisor attr-dict";
}

def Cuda_QuotientOp : Cuda_DivideOp<"quotient", "/">;
def Cuda_RemainderOp : Cuda_DivideOp<"remainder", "%">;

def Cuda_ParameterOp : Cuda_Op<"parameter", [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                    ["inferResultRanges"]>]> {
  let summary = "Is a parameter of the kernel that is no tensor.";
  let description = [{
    ```mlir
    %0 = cuda.parameter "S" : index
    ```

    Constraints:
    - C1: the kernel has a parameter of this name.
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Cuda_Index:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Cuda_OnPeerOp : Cuda_Op<"on_peer", [
    NoMemoryEffect, AllTypesMatch<["local", "result"]>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Is a peer's copy of a symmetric tensor, `tw::onPeer`.";
  let description = [{
    A peer that does not exist is an error of the program, so it may stand before
    a loop or branch that never runs only where the peer is known to exist.

    ```mlir
    %remote = cuda.on_peer %dst, %peer : !cuda.ptr<16>, index
    ```
    - `local`: the tensor on this rank.
    - `peer`: the rank whose copy is meant.

    Constraints:
    - C1: `local` is an argument of the kernel and has `cuda.written`.
    - C2: its tensor is symmetric.
    - C3: a constant peer is one of the kernel's ranks.
  }];
  let arguments = (ins Cuda_PtrType:$local, Cuda_Index:$peer);
  let results = (outs Cuda_PtrType:$result);
  let hasVerifier = 1;
  let assemblyFormat =
    "$local `,` $peer attr-dict `:` type($local) `,` type($peer)";
}

def Cuda_LoadOp : Cuda_Op<"load", [MemoryEffects<[MemRead]>]> {
  let summary = "Reads one vector, `tw::load`.";
  let description = [{
    ```mlir
    %0 = cuda.load %src[%offset] : !cuda.ptr<16>, index -> !cuda.vec<8, 16>
    ```
    - `pointer`: the tensor.
    - `offset`: its first element read; a multiple of the vector's count.

    Constraints:
    - C1: element widths of pointer and vector are equal.
    - C2: a constant offset is a multiple of the vector's count, and the vector
      lies in the tensor.
  }];
  let arguments = (ins Cuda_PtrType:$pointer, Cuda_Index:$offset);
  let results = (outs Cuda_VecType:$result);
  let assemblyFormat = [{
    $pointer `[` $offset `]` attr-dict
    `:` type($pointer) `,` type($offset) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Cuda_StoreOp : Cuda_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "Writes one vector, `tw::store`.";
  let description = [{
    ```mlir
    cuda.store %value, %dst[%offset] : !cuda.vec<8, 16>, !cuda.ptr<16>, index
    ```
    - `value`: what is written.
    - `pointer`: the tensor.
    - `offset`: its first element written; a multiple of the vector's count.

    Constraints:
    - C1: element widths of pointer and vector are equal.
    - C2: a tensor that is the kernel's argument has `cuda.written`.
    - C3: a constant offset is a multiple of the vector's count, and the vector
      lies in the tensor.
  }];
  let arguments = (ins Cuda_VecType:$value, Cuda_PtrType:$pointer,
                       Cuda_Index:$offset);
  let assemblyFormat = [{
    $value `,` $pointer `[` $offset `]` attr-dict
    `:` type($value) `,` type($pointer) `,` type($offset)
  }];
  let hasVerifier = 1;
}

def Cuda_RegistersOp : Cuda_Op<"registers", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Declares an array of vectors in registers.";
  let description = [{
    ```mlir
    %held = cuda.registers : !cuda.array<4, !cuda.vec<8, 16>>
    ```
  }];
  let results = (outs Cuda_ArrayType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Cuda_GetOp : Cuda_Op<"get", [MemoryEffects<[MemRead]>, TypesMatchWith<
    "the result is the array's element", "array", "result",
    "::llvm::cast<ArrayType>($_self).getElement()">]> {
  let summary = "Reads one vector of an array.";
  let description = [{
    ```mlir
    %0 = cuda.get %held[%i] : !cuda.array<4, !cuda.vec<8, 16>>, index
    ```
    - `array`: the array.
    - `index`: which of its vectors.

    Constraints:
    - C1: a constant index is from 0 to the array's size less 1.
  }];
  let arguments = (ins Cuda_ArrayType:$array, Cuda_Index:$index);
  let results = (outs Cuda_VecType:$result);
  let assemblyFormat =
    "$array `[` $index `]` attr-dict `:` type($array) `,` type($index)";
  let hasVerifier = 1;
}

def Cuda_SetOp : Cuda_Op<"set", [MemoryEffects<[MemWrite]>, TypesMatchWith<
    "the value is the array's element", "array", "value",
    "::llvm::cast<ArrayType>($_self).getElement()">]> {
  let summary = "Writes one vector of an array.";
  let description = [{
    ```mlir
    cuda.set %value, %held[%i] : !cuda.array<4, !cuda.vec<8, 16>>, index
    ```
    - `value`: what is written.
    - `array`: the array.
    - `index`: which of its vectors.

    Constraints:
    - C1: a constant index is from 0 to the array's size less 1.
  }];
  let arguments = (ins Cuda_VecType:$value, Cuda_ArrayType:$array,
                       Cuda_Index:$index);
  let assemblyFormat = [{
    $value `,` $array `[` $index `]` attr-dict
    `:` type($array) `,` type($index)
  }];
  let hasVerifier = 1;
}

include "dialects/Cuda/CudaOrder.td"

#endif // TILEWIRE_CUDA_TD
