//===- tilewire.h - everything a program includes -------------------------===//

#ifndef TILEWIRE_TILEWIRE_H
#define TILEWIRE_TILEWIRE_H

#include <tilewire/Benchmark.h>
#include <tilewire/Builder.h>
#include <tilewire/Compiler.h>
#include <tilewire/DataType.h>
#include <tilewire/Error.h>
#include <tilewire/Kernel.h>
#include <tilewire/KernelSource.h>
#include <tilewire/Launch.h>
#include <tilewire/Nccl.h>
#include <tilewire/Partition.h>
#include <tilewire/Program.h>
#include <tilewire/SymmetricHeap.h>
#include <tilewire/Tensor.h>
#include <tilewire/World.h>

#endif // TILEWIRE_TILEWIRE_H
