//===- CudaOrder.td - waits, syncs, checks and comments ---*- tablegen -*-===//
//
// What orders the accesses of generated text, and what is said about them;
// included by Cuda.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_CUDAORDER_TD
#define TILEWIRE_CUDAORDER_TD

//===----------------------------------------------------------------------===//
// Order, checks and comments
//===----------------------------------------------------------------------===//

class Cuda_WaitOp<string mnemonic, list<Trait> traits = []>
    : Cuda_Op<mnemonic, traits # [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins I64Attr:$wait);
  let assemblyFormat = "$wait attr-dict";
}

def Cuda_EnterAllOp : Cuda_WaitOp<"enter_all", [HasParent<"KernelOp">]> {
  let summary = "Waits until every rank has entered, `tw::enterAll`.";
  let description = [{
    Printed with the return that a wait given up leads to. `wait` numbers the
    waits of a kernel, for the report of one that does not end.

    ```mlir
    cuda.enter_all 0
    ```
  }];
}

def Cuda_LeaveAllOp : Cuda_WaitOp<"leave_all", [HasParent<"KernelOp">]> {
  let summary = "Signals that all is sent, and waits, `tw::leaveAll`.";
  let description = [{
    ```mlir
    cuda.leave_all 1
    ```
  }];
}

def Cuda_BarrierAllOp : Cuda_WaitOp<"barrier_all"> {
  let summary = "Waits for every block of every rank, `tw::barrierAll`.";
  let description = [{
    ```mlir
    cuda.barrier_all 2
    ```
  }];
}

def Cuda_SyncOp : Cuda_Op<"sync", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for every thread of the block, `__syncthreads`.";
  let description = [{
    ```mlir
    cuda.sync
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Cuda_CheckOp : Cuda_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "States what must hold, `tw::check`.";
  let description = [{
    The emulator ends the launch where it does not hold, and so does a GPU where
    the world was asked to check; otherwise it costs nothing there.
    `check` numbers the checks of a kernel, for the error.

    ```mlir
    cuda.check 0, %inside, %row, "offset 0 of a tile of 'src' to be at most 60"
      : index
    ```
    - `condition`: what must hold.
    - `value`: the number that the error says was got.
    - `expected`: what the error says was expected.
  }];
  let arguments = (ins I64Attr:$check, I1:$condition, Cuda_Index:$value,
                       StrAttr:$expected);
  let assemblyFormat = [{
    $check `,` $condition `,` $value `,` $expected attr-dict `:` type($value)
  }];
}

def Cuda_CommentOp : Cuda_Op<"comment", [MemoryEffects<[MemWrite]>]> {
  let summary = "Is a line of comment.";
  let description = [{
    ```mlir
    cuda.comment "src to dst on every peer"
    ```

    Constraints:
    - C1: the text is one line, without control characters or a backslash at
      its end, which would join the next line.
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
  let hasVerifier = 1;
}

#endif // TILEWIRE_CUDAORDER_TD
