#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each rule of faa-spirv validate: a module that breaks it, and similar ones that do not.

spirv_rules.py FAA-SPIRV: modules are assembled by spirv-as; SPIRV-Tools' validator is not used.
"""
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import judged

# Capability lines, body of the function; f: float, u: uint, l: ulong, d: double, h: half, i: int in
# the buffer.
MODULE = """{caps}
OpMemoryModel {model}
OpEntryPoint {entry} %main "main" {interface}
{mode}
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 8
OpDecorate %var DescriptorSet 0
OpDecorate %var Binding 0
{annotations}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%vec = OpTypeVector %float 2
%block = OpTypeStruct %float %uint
%pblock = OpTypePointer {storage} %block
%pfloat = OpTypePointer {storage} %float
%puint = OpTypePointer {storage} %uint
%var = OpVariable %pblock {storage}
{numbers}
%one = OpConstant %float 1
%true = OpConstantTrue %bool
{types}
%main = OpFunction %void None %fn
%label = OpLabel
{locals}
%f = OpAccessChain %pfloat %var %c0
%u = OpAccessChain %puint %var %c1
{body}
OpReturn
OpFunctionEnd
{functions}
"""
NUMBERS = [0, 1, 2, 3, 4, 5, 6, 9, 16, 64, 66, 68, 72, 80, 70, 264, 8260, 16450, 32768, 32834, 328, 2114]
SHADER = "OpCapability Shader"
KERNEL = "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage"
ADD = 'OpExtension "SPV_EXT_shader_atomic_float_add"'
ADD16 = 'OpExtension "SPV_EXT_shader_atomic_float16_add"'
MINMAX = 'OpExtension "SPV_EXT_shader_atomic_float_min_max"'
VMM = 'OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope\nOpExtension "SPV_KHR_vulkan_memory_model"'
PRIVATE = "%pp = OpTypePointer Private %float\n%x = OpVariable %pp Private"
LONG = "%ulong = OpTypeInt 64 0\n%plong = OpTypePointer Workgroup %ulong\n%x = OpVariable %plong Workgroup\n%cl = OpConstant %ulong 1"
DOUBLE = "%double = OpTypeFloat 64\n%pdouble = OpTypePointer Workgroup %double\n%x = OpVariable %pdouble Workgroup\n%cd = OpConstant %double 1"
HALF = "%half = OpTypeFloat 16\n%phalf = OpTypePointer Workgroup %half\n%x = OpVariable %phalf Workgroup\n%ch = OpConstant %half 1"
SHORT = "%short = OpTypeInt 16 0\n%pshort = OpTypePointer Workgroup %short\n%x = OpVariable %pshort Workgroup\n%cs = OpConstant %short 1"


def image(form, dim="2D", arrayed=0, texel="%uint"):
    """Types of an image that atomics access, and a variable."""
    return (f"%img = OpTypeImage {texel} {dim} 0 {arrayed} 0 2 {form}\n%pimg = OpTypePointer UniformConstant %img\n"
            f"%im = OpVariable %pimg UniformConstant\n%ptexel = OpTypePointer Image %uint\n%v2 = OpTypeVector %uint 2\n"
            f"%xy = OpConstantComposite %v2 %c0 %c0")


def row(expect, body, caps=SHADER, **more):
    """A module and a part of the message that rejects it; None: it is accepted."""
    return {"expect": expect, "body": body, "caps": caps, **more}


IADD = "%r = OpAtomicIAdd %uint %u {} {} %c1"
CAS = "%r = OpAtomicCompareExchange %uint %u %c1 {} {} %c1 %c0"
FADD = "%r = OpAtomicFAddEXT %float %f %c1 %c0 %one"
TEXEL = "%t = OpImageTexelPointer %ptexel %im {} {}\n%r = OpAtomicIAdd %uint %t %c1 %c0 %c1"
MIN_MAX32 = SHADER + "\nOpCapability AtomicFloat32MinMaxEXT\n" + MINMAX
ADD32 = SHADER + "\nOpCapability AtomicFloat32AddEXT\n" + ADD
LONG_ATOMICS = SHADER + "\nOpCapability Int64Atomics"
GLSL = SHADER + '\n%std = OpExtInstImport "GLSL.std.450"'
VECTORS = """%vec3 = OpTypeVector %float 3
%mat23 = OpTypeMatrix %vec3 2
%mixed = OpTypeStruct %float %int
%two = OpConstantComposite %vec %one %one
%three = OpConstantComposite %vec3 %one %one %one
%oblong = OpConstantComposite %mat23 %three %three"""
MODEL = {"model": "Logical Vulkan", "caps": SHADER + "\n" + VMM}
OPENCL = {"caps": KERNEL + "\nOpCapability Int64", "model": "Physical64 OpenCL", "storage": "CrossWorkgroup", "entry": "Kernel", "mode": "", "spv": "spv1.2"}
FRAGMENT = {"entry": "Fragment", "mode": "OpExecutionMode %main OriginUpperLeft"}
GRAPHICS = [FRAGMENT, {"entry": "Vertex", "mode": ""},
            {"entry": "TessellationEvaluation", "mode": "OpExecutionMode %main Triangles", "caps": "OpCapability Tessellation"}]
RAY = {"entry": "RayGenerationKHR", "mode": "", "caps": SHADER + '\nOpCapability RayTracingKHR\nOpExtension "SPV_KHR_ray_tracing"', "spv": "spv1.4",
       "interface": "%var"}
CONTROL = {"entry": "TessellationControl", "mode": "OpExecutionMode %main OutputVertices 1", "caps": "OpCapability Tessellation"}
CALL = "%q = OpFunctionCall %void %callee"
CALLEE = """%callee = OpFunction %void None %fn
%start = OpLabel
%p = OpAccessChain %puint %var %c1
%r = OpAtomicIAdd %uint %p %c2 %c0 %c1
OpReturn
OpFunctionEnd"""

ROWS = [
    row(None, IADD.format("%c1", "%c0")),
    # Types
    row("AtomicFAddEXT: expected Result Type to be float scalar type", "%r = OpAtomicFAddEXT %vec %f %c1 %c0 %one",
        SHADER + "\nOpCapability AtomicFloat32AddEXT\n" + ADD),
    row("AtomicFAddEXT: expected Pointer to be of type OpTypePointer", "%r = OpAtomicFAddEXT %float %one %c1 %c0 %one",
        SHADER + "\nOpCapability AtomicFloat32AddEXT\n" + ADD),
    row("AtomicFAddEXT: expected Value to be of type Result Type", "%r = OpAtomicFAddEXT %float %f %c1 %c0 %c1",
        SHADER + "\nOpCapability AtomicFloat32AddEXT\n" + ADD),
    row("AtomicFMinEXT: expected Result Type to be float scalar type", "%r = OpAtomicFMinEXT %uint %u %c1 %c0 %c1",
        SHADER + "\nOpCapability AtomicFloat32MinMaxEXT\n" + MINMAX),
    row("AtomicExchange: expected Result Type to be integer or float scalar type", "%r = OpAtomicExchange %vec %f %c1 %c0 %one"),
    row("AtomicLoad: expected Result Type to be integer or float scalar type", "%r = OpAtomicLoad %bool %u %c1 %c0"),
    row(None, "%r = OpAtomicLoad %float %f %c1 %c0"),
    row(None, "OpAtomicStore %f %c1 %c0 %one"),
    row(None, "%r = OpAtomicExchange %float %f %c1 %c0 %one"),
    row("AtomicStore: expected Value type and the type pointed to by Pointer to be the same", "OpAtomicStore %f %c1 %c0 %c1"),
    row("AtomicStore: expected Pointer to be of type OpTypePointer", "OpAtomicStore %one %c1 %c0 %one"),
    row("AtomicStore: expected Pointer to be a pointer to integer or float scalar type", "OpAtomicStore %var %c1 %c0 %one"),
    row("AtomicCompareExchange: expected Result Type to be integer scalar type",
        "%r = OpAtomicCompareExchange %float %f %c1 %c0 %c0 %one %one"),
    row("AtomicCompareExchange: expected Value to be of type Result Type",
        "%r = OpAtomicCompareExchange %uint %u %c1 %c0 %c0 %one %c0"),
    row("AtomicISub: expected Pointer to point to a value of type Result Type", "%r = OpAtomicISub %int %u %c1 %c0 %c1"),
    *[row(f"{op}: expected Result Type to be integer scalar type", f"%r = Op{op} %float %f %c1 %c0 %one")
      for op in ("AtomicIAdd", "AtomicISub", "AtomicSMin", "AtomicUMin", "AtomicSMax", "AtomicUMax", "AtomicAnd", "AtomicOr", "AtomicXor")],
    *[row(f"{op}: expected Result Type to be integer scalar type", f"%r = Op{op} %float %f %c1 %c0")
      for op in ("AtomicIIncrement", "AtomicIDecrement")],
    *[row(None, f"%r = Op{op} %uint %u %c1 %c0 %c1")
      for op in ("AtomicISub", "AtomicSMin", "AtomicUMin", "AtomicSMax", "AtomicUMax", "AtomicAnd", "AtomicOr", "AtomicXor", "AtomicExchange")],
    row("16-bit integer atomics are not supported", "%r = OpAtomicIAdd %short %x %c1 %c0 %cs", SHADER + "\nOpCapability Int16", types=SHORT),
    # Widths and capabilities
    row("64-bit atomics require the Int64Atomics capability", "%r = OpAtomicExchange %ulong %x %c1 %c0 %cl",
        SHADER + "\nOpCapability Int64", types=LONG),
    row(None, "%r = OpAtomicExchange %ulong %x %c1 %c0 %cl", SHADER + "\nOpCapability Int64Atomics", types=LONG),
    row("64-bit atomics require the Int64Atomics capability", "OpAtomicStore %x %c1 %c0 %cl", SHADER + "\nOpCapability Int64", types=LONG),
    row("Using a 64-bit integer type requires the Int64 capability.", "", types=LONG),
    row("float add atomics require the AtomicFloat64AddEXT capability", "%r = OpAtomicFAddEXT %double %x %c1 %c0 %cd",
        SHADER + "\nOpCapability Float64\nOpCapability AtomicFloat32AddEXT\n" + ADD, types=DOUBLE),
    row(None, "%r = OpAtomicFAddEXT %double %x %c1 %c0 %cd", SHADER + "\nOpCapability Float64\nOpCapability AtomicFloat64AddEXT\n" + ADD,
        types=DOUBLE),
    row("float add atomics require the AtomicFloat16AddEXT capability", "%r = OpAtomicFAddEXT %half %x %c1 %c0 %ch",
        SHADER + "\nOpCapability Float16\nOpCapability AtomicFloat32AddEXT\n" + ADD, types=HALF),
    row(None, "%r = OpAtomicFAddEXT %half %x %c1 %c0 %ch", SHADER + "\nOpCapability Float16\nOpCapability AtomicFloat16AddEXT\n" + ADD16, types=HALF,
        warning="should also declare the extension SPV_EXT_shader_atomic_float_add"),
    row(None, "%r = OpAtomicFAddEXT %half %x %c1 %c0 %ch", SHADER + "\nOpCapability Float16\nOpCapability AtomicFloat16AddEXT\n" + ADD + "\n" + ADD16,
        types=HALF, silent="should also declare"),
    row("requires one of these extensions: SPV_EXT_shader_atomic_float16_add", "%r = OpAtomicFAddEXT %half %x %c1 %c0 %ch",
        SHADER + "\nOpCapability Float16\nOpCapability AtomicFloat16AddEXT\n" + ADD, types=HALF),
    row("float min/max atomics require the AtomicFloat32MinMaxEXT capability", "%r = OpAtomicFMaxEXT %float %f %c1 %c0 %one",
        SHADER + "\nOpCapability AtomicFloat64MinMaxEXT\n" + MINMAX),
    row("float min/max atomics require the AtomicFloat16MinMaxEXT capability", "%r = OpAtomicFMaxEXT %half %x %c1 %c0 %ch",
        SHADER + "\nOpCapability Float16\nOpCapability AtomicFloat32MinMaxEXT\n" + MINMAX, types=HALF),
    row("Opcode AtomicFMaxEXT requires one of these capabilities: AtomicFloat32MinMaxEXT AtomicFloat64MinMaxEXT AtomicFloat16MinMaxEXT",
        "%r = OpAtomicFMaxEXT %float %f %c1 %c0 %one"),
    row("requires one of these extensions: SPV_EXT_shader_atomic_float_min_max", "%r = OpAtomicFMinEXT %float %f %c1 %c0 %one",
        SHADER + "\nOpCapability AtomicFloat32MinMaxEXT"),
    row("requires one of these extensions: SPV_KHR_vulkan_memory_model", "", SHADER + "\nOpCapability VulkanMemoryModel",
        model="Logical Vulkan"),
    row("Operand 2 of MemoryModel requires one of these capabilities: VulkanMemoryModel", "", model="Logical Vulkan"),
    row("Opcode AtomicFlagClear requires one of these capabilities: Kernel", "OpAtomicFlagClear %u %c1 %c0"),
    row("AtomicCompareExchangeWeak requires SPIR-V version 1.3 or earlier", "%r = OpAtomicCompareExchangeWeak %uint %u %c1 %c0 %c0 %c1 %c0",
        spv="spv1.4-forced"),
    # SPIRV-Tools names the capability of another width.
    row("AtomicFAddEXT: float add atomics require the AtomicFloat32AddEXT capability", "%r = OpAtomicFAddEXT %half %x %c1 %c0 %ch",
        SHADER + "\nOpCapability Float16\nOpCapability AtomicFloat64AddEXT\n" + ADD, types=HALF),
    row("float min/max atomics require the AtomicFloat64MinMaxEXT capability", "%r = OpAtomicFMaxEXT %double %x %c1 %c0 %cd",
        SHADER + "\nOpCapability Float64\nOpCapability AtomicFloat32MinMaxEXT\n" + MINMAX, types=DOUBLE),
    row(None, "%r = OpAtomicFMaxEXT %half %x %c1 %c0 %ch", SHADER + "\nOpCapability Float16\nOpCapability AtomicFloat16MinMaxEXT\n" + MINMAX, types=HALF),
    row("Opcode AtomicFMaxEXT requires one of these capabilities: AtomicFloat32MinMaxEXT", "%r = OpAtomicFMaxEXT %float %f %c1 %c0 %one", ADD32),
    row("Opcode AtomicFAddEXT requires one of these capabilities: AtomicFloat32AddEXT", "%r = OpAtomicFAddEXT %float %f %c1 %c0 %one", MIN_MAX32),
    row("requires one of these extensions: SPV_EXT_shader_atomic_float_add", "", SHADER + "\nOpCapability AtomicFloat32AddEXT\n" + MINMAX),
    row("requires one of these extensions: SPV_EXT_shader_atomic_float16_add", "", SHADER + "\nOpCapability AtomicFloat16AddEXT"),
    row("AtomicFMinEXT: expected Result Type to be float scalar type", "%r = OpAtomicFMinEXT %vec %f %c1 %c0 %one", MIN_MAX32),
    row("AtomicFMinEXT: expected Pointer to point to a value of type Result Type", "%r = OpAtomicFMinEXT %float %u %c1 %c0 %one", MIN_MAX32),
    row("AtomicFMinEXT: expected Pointer to be of type OpTypePointer", "%r = OpAtomicFMinEXT %float %one %c1 %c0 %one", MIN_MAX32),
    row("AtomicFMaxEXT: expected Value to be of type Result Type", "%r = OpAtomicFMaxEXT %float %f %c1 %c0 %c1", MIN_MAX32),
    row("Capability AtomicStorage is not allowed by Vulkan 1.1 specification (or requires extension)", "", SHADER + "\nOpCapability AtomicStorage"),
    row(None, "", SHADER + "\nOpCapability AtomicStorage", environment="universal"),
    *[row(f"Atomic{op}: 64-bit atomics require the Int64Atomics capability", f"%r = OpAtomic{op} %ulong %x %c1 %c0{rest}",
          SHADER + "\nOpCapability Int64", types=LONG)
      for op, rest in (("IIncrement", ""), ("UMax", " %cl"), ("Load", ""), ("CompareExchange", " %c0 %cl %cl"))],
    row("AtomicIAdd: expected Value to be of type Result Type", "%r = OpAtomicIAdd %uint %u %c1 %c0 %cl", LONG_ATOMICS, types=LONG),
    row("AtomicIAdd: expected Value to be of type Result Type", "%r = OpAtomicIAdd %ulong %x %c1 %c0 %c1", LONG_ATOMICS, types=LONG),
    row("AtomicIAdd: expected Pointer to point to a value of type Result Type", "%r = OpAtomicIAdd %ulong %u %c1 %c0 %cl", LONG_ATOMICS, types=LONG),
    # Storage classes
    *[row("FMaxEXT: storage class forbidden by universal validation rules.", "%r = OpAtomicFMaxEXT %float %x %c1 %c0 %one", MIN_MAX32, types=PRIVATE),
      row("FAddEXT: storage class forbidden by universal validation rules.", "%r = OpAtomicFAddEXT %float %x %c1 %c0 %one", ADD32, types=PRIVATE),
      row("AtomicLoad: storage class forbidden by universal validation rules.", "%r = OpAtomicLoad %float %x %c1 %c0", types=PRIVATE),
      row("AtomicStore: storage class forbidden by universal validation rules.", "OpAtomicStore %x %c1 %c0 %one", types=PRIVATE)],
    *[row("04686] AtomicIAdd: Vulkan spec only allows", IADD.replace("%u ", "%x ").format("%c1", "%c0"),
          types=f"%px = OpTypePointer {place} %uint\n%x = OpVariable %px {place}") for place in ("Output", "Input", "PushConstant", "UniformConstant")],
    row("AtomicExchange: Function storage class forbidden when the Shader capability is declared.", "%r = OpAtomicExchange %uint %x %c1 %c0 %c1",
        types="%px = OpTypePointer Function %uint", locals="%x = OpVariable %px Function"),
    row("AtomicExchange: Function storage class forbidden when the Shader capability is declared.", "%r = OpAtomicExchange %uint %x %c1 %c0 %c1",
        types="%px = OpTypePointer Function %uint", locals="%x = OpVariable %px Function", environment="universal"),
    row("storage class must be Function, Workgroup, CrossWorkGroup or Generic in the OpenCL environment.",
        "%r = OpAtomicIAdd %uint %x %c1 %c0 %c1", types="%px = OpTypePointer UniformConstant %uint\n%x = OpConstantNull %px", **OPENCL),
    row("AtomicExchange: storage class forbidden by universal validation rules.", "%r = OpAtomicExchange %float %x %c1 %c0 %one",
        types=PRIVATE),
    row("[VUID-StandaloneSpirv-None-04686] AtomicExchange: Vulkan spec only allows", "%r = OpAtomicExchange %float %x %c1 %c0 %one",
        types=PRIVATE),
    # Scopes
    row("[VUID-StandaloneSpirv-None-04638] AtomicIAdd: in Vulkan environment Memory Scope is limited to", IADD.format("%c0", "%c0")),
    row("AtomicIAdd: Memory Scope QueueFamilyKHR requires capability VulkanMemoryModelKHR", IADD.format("%c5", "%c0")),
    row(None, IADD.format("%c5", "%c0"), **MODEL),
    row("ShaderCallKHR Memory Scope requires a ray tracing execution model", IADD.format("%c6", "%c0")),
    row("Invalid scope value:", IADD.format("%c9", "%c0")),
    row("AtomicIAdd: expected scope to be a 32-bit int", IADD.format("%one", "%c0")),
    row("AtomicIAdd: expected scope to be a 32-bit int", IADD.format("%cl", "%c0"), SHADER + "\nOpCapability Int64", types=LONG),
    row("Scope ids must be OpConstant when Shader capability is present", IADD.format("%spec", "%c0"), types="%spec = OpSpecConstant %uint 1"),
    row(None, IADD.format("%c2", "%c0")),
    row(None, IADD.format("%c3", "%c0")),
    row(None, IADD.format("%c4", "%c0")),
    row("Invalid scope value:", "OpMemoryBarrier %c9 %c72"),
    row("FAddEXT: in Vulkan environment Memory Scope is limited to", "%r = OpAtomicFAddEXT %float %f %c0 %c0 %one", ADD32),
    row("AtomicStore: expected scope to be a 32-bit int", "OpAtomicStore %u %one %c0 %c1"),
    row("Scope ids must be OpConstant when Shader capability is present", "%n = OpLoad %uint %u\n" + IADD.format("%n", "%c0")),
    row("Use of device scope with VulkanKHR memory model requires the VulkanMemoryModelDeviceScopeKHR capability", "OpMemoryBarrier %c1 %c72",
        SHADER + "\nOpCapability VulkanMemoryModel\n" + VMM.split("\n")[2], model="Logical Vulkan"),
    row("04641] AtomicIAdd: Vulkan specification requires Memory Semantics to be None", IADD.format("%c4", "%c68")),
    # Semantics
    *[row("can have at most one of the following bits set", body) for body in (
        CAS.format("%c70", "%c0"), CAS.format("%c66", "%c70"), "OpMemoryBarrier %c1 %c70", "OpControlBarrier %c2 %c2 %c70", "OpAtomicStore %u %c1 %c70 %c1")],
    row("Memory Semantics ids must be OpConstant", IADD.format("%c1", "%spec"), types="%spec = OpSpecConstant %uint 0"),
    *[row("expected Memory Semantics to be a 32-bit int", body) for body in (
        CAS.format("%one", "%c0"), CAS.format("%c0", "%one"), "OpMemoryBarrier %c1 %one", "OpControlBarrier %c2 %c2 %one", "OpAtomicStore %u %c1 %one %c1")],
    row("04731] Vulkan spec disallows OpAtomicLoad", "%r = OpAtomicLoad %uint %u %c1 %c80"),
    row("04730] Vulkan spec disallows OpAtomicStore", "OpAtomicStore %u %c1 %c80 %c1"),
    row("04730] Vulkan spec disallows OpAtomicStore", "OpAtomicStore %u %c1 %c66 %c1"),
    row("Memory Semantics MakeAvailableKHR requires capability VulkanMemoryModelKHR", IADD.format("%c1", "%c8260")),
    row("MakeAvailableKHR Memory Semantics also requires", IADD.format("%c1", "%k"), types="%k = OpConstant %uint 0x2042", **MODEL),
    row("MakeVisibleKHR Memory Semantics also requires", IADD.format("%c1", "%k"), types="%k = OpConstant %uint 0x4044", **MODEL),
    row("Memory Semantics OutputMemoryKHR requires capability VulkanMemoryModelKHR", IADD.format("%c1", "%k"), types="%k = OpConstant %uint 0x1042"),
    row("10878] AtomicCompareExchange", CAS.format("%k", "%c16450"), types="%k = OpConstant %uint 0x48", **MODEL),
    row("cannot be used for operand Unequal", CAS.format("%c72", "%c68")),
    row("Memory Semantics ids must be OpConstant when Shader capability is present", "%n = OpLoad %uint %u\n" + IADD.format("%c1", "%n")),
    row("AtomicIAdd: expected Memory Semantics to be a 32-bit int", IADD.format("%c1", "%one")),
    row("can have at most one of the following bits set", IADD.format("%c1", "%c70")),
    row("SequentiallyConsistent memory semantics cannot be used with the VulkanKHR memory model.", IADD.format("%c1", "%c80"), **MODEL),
    row("10866] AtomicIAdd", IADD.format("%c1", "%c80")),
    row("10870] AtomicIAdd", IADD.format("%c1", "%c4")),
    row("10870] AtomicIAdd", IADD.format("%c1", "%c2")),
    row("10871] AtomicIAdd", IADD.format("%c1", "%c64")),
    row(None, IADD.format("%c1", "%c72")),
    row("Memory Semantics Volatile requires capability VulkanMemoryModelKHR", IADD.format("%c1", "%c32768")),
    row(None, IADD.format("%c1", "%c32768"), **MODEL),
    row("Memory Semantics MakeVisibleKHR requires capability VulkanMemoryModelKHR", IADD.format("%c1", "%c16450")),
    row(None, IADD.format("%c1", "%c16450"), **MODEL),
    row(None, IADD.format("%c1", "%c8260"), **MODEL),
    row("04731] Vulkan spec disallows OpAtomicLoad", "%r = OpAtomicLoad %uint %u %c1 %c68"),
    row("04731] Vulkan spec disallows OpAtomicLoad", "%r = OpAtomicLoad %uint %u %c1 %c72"),
    row(None, "%r = OpAtomicLoad %uint %u %c1 %c66"),
    row("04730] Vulkan spec disallows OpAtomicStore", "OpAtomicStore %u %c1 %c72 %c1"),
    row(None, "OpAtomicStore %u %c1 %c68 %c1"),
    row("04731] Vulkan spec disallows OpAtomicLoad", "%r = OpAtomicLoad %uint %u %c1 %c68", environment="universal"),
    row("cannot be used for operand Unequal", CAS.format("%c72", "%c72")),
    row("10876] AtomicCompareExchange", CAS.format("%c0", "%c66")),
    # C does not forbid Release with Acquire.
    row(None, CAS.format("%c68", "%c66")),
    row("10876] AtomicCompareExchange", CAS.format("%c72", "%c80")),
    # Vulkan has only four of the storage classes: not subgroup, cross-workgroup and atomic counter
    # memory.
    row("10870] AtomicLoad", "%r = OpAtomicLoad %uint %u %c1 %k", types="%k = OpConstant %uint 0x602"),
    row("10870] MemoryBarrier", "OpMemoryBarrier %c1 %k", types="%k = OpConstant %uint 0x688"),
    row(None, "%r = OpAtomicLoad %uint %u %c1 %k", types="%k = OpConstant %uint 0x642"),
    row(None, "OpControlBarrier %c2 %c2 %k", types="%k = OpConstant %uint 0x680"),
    row(None, IADD.format("%c1", "%k"), types="%k = OpConstant %uint 0x680"),
    row(None, CAS.format("%c72", "%k"), types="%k = OpConstant %uint 0x6c2"),
    # Outside of Vulkan an order needs no storage class, and a storage class no order.
    row(None, IADD.format("%c1", "%c2"), environment="universal"),
    row(None, IADD.format("%c1", "%c64"), environment="universal"),
    row(None, CAS.format("%c72", "%k"), types="%k = OpConstant %uint 0x142", environment="universal"),
    row("10870] AtomicIAdd", IADD.format("%c1", "%c2"), environment="universal", **MODEL),
    row("10871] AtomicIAdd", IADD.format("%c1", "%c64"), environment="universal", **MODEL),
    row(None, CAS.format("%c72", "%c66")),
    row(None, CAS.format("%c66", "%c66")),
    row("10877] AtomicCompareExchange", CAS.format("%c72", "%k"), types="%k = OpConstant %uint 0x142"),
    row("10879] Volatile mask setting must match", CAS.format("%c32834", "%c66"), **MODEL),
    # Barriers
    row("04732] MemoryBarrier", "OpMemoryBarrier %c1 %c64"),
    row("10870] MemoryBarrier", "OpMemoryBarrier %c1 %c2"),
    row(None, "OpMemoryBarrier %c1 %c72"),
    row(None, "OpControlBarrier %c2 %c2 %c264"),
    row("04636] ControlBarrier", "OpControlBarrier %c1 %c2 %c264"),
    row("10866] ControlBarrier", "OpControlBarrier %c2 %c2 %c80"),
    # Scopes by execution model
    *[row(f"07321] {name}: Workgroup Memory Scope is limited to", body, **stage)
      for stage in GRAPHICS + [RAY]
      for name, body in (("AtomicIAdd", IADD.format("%c2", "%c0")), ("MemoryBarrier", "OpMemoryBarrier %c2 %c72"))],
    *[row(None, IADD.format("%c1", "%c0"), **stage) for stage in GRAPHICS + [RAY]],
    *[row(None, IADD.format("%c2", "%c0"), environment="universal", **stage) for stage in GRAPHICS],
    *[row("04682] ControlBarrier: execution scope must be Subgroup", "OpControlBarrier %c2 %c1 %c264",
          also=["04637] ControlBarrier: Workgroup execution scope is only for"], **stage) for stage in GRAPHICS + [RAY]],
    *[row(None, "OpControlBarrier %c3 %c1 %c264", **stage) for stage in GRAPHICS + [RAY]],
    row(None, "OpControlBarrier %c2 %c1 %c264", **CONTROL),
    row("07320] ControlBarrier: Workgroup Memory Scope cannot be used with TessellationControl", "OpControlBarrier %c2 %c2 %c264", **CONTROL),
    row("07320] AtomicIAdd: Workgroup Memory Scope cannot be used", IADD.format("%c2", "%c0"), **CONTROL),
    row(None, IADD.format("%c2", "%c0"), **{**CONTROL, "model": "Logical Vulkan", "caps": CONTROL["caps"] + "\n" + VMM}),
    row("04640] AtomicIAdd: ShaderCallKHR Memory Scope requires a ray tracing", IADD.format("%c6", "%c0")),
    row(None, IADD.format("%c6", "%c0"), environment="universal"),
    row(None, IADD.format("%c6", "%c0"), **RAY),
    row("ControlBarrier requires one of the following Execution Models", "OpControlBarrier %c3 %c1 %c264",
        environment="universal", **{**GRAPHICS[0], "spv": "spv1.2"}),
    row(None, "OpControlBarrier %c2 %c2 %c264", environment="universal", spv="spv1.2"),
    # The rule is about the entry points that reach a function.
    row("07321] AtomicIAdd", CALL, **{**GRAPHICS[0], "functions": CALLEE}),
    row(None, "", **{**GRAPHICS[0], "functions": CALLEE}),
    row(None, CALL, functions=CALLEE),
    *[row(expect, f"%r = OpGroupNonUniformElect %bool {scope}", SHADER + "\nOpCapability GroupNonUniform", environment=environment)
      for expect, scope, environment in (("04642] GroupNonUniformElect: in Vulkan environment", "%c2", "vulkan"), (None, "%c3", "vulkan"),
                                         (None, "%c2", "universal"), ("Execution scope is limited to Subgroup or Workgroup", "%c1", "universal"))],
    # Images
    row(None, TEXEL.format("%xy", "%c0"), types=image("R32ui")),
    row("04658] Expected the Image Format in Image", TEXEL.format("%xy", "%c0"), types=image("Rgba32ui")),
    row("Expected Coordinate to have 3 components, but given 2", TEXEL.format("%xy", "%c0"), types=image("R32ui", arrayed=1)),
    row("Expected Sample for Image with MS 0 to be a valid <id> for the value 0", TEXEL.format("%xy", "%c1"), types=image("R32ui")),
    row("Expected Coordinate to be integer scalar or vector", TEXEL.format("%one", "%c0"), types=image("R32ui")),
    row("Expected Image 'Sampled Type' to be the same as the Type pointed to by Result Type", TEXEL.format("%xy", "%c0"),
        types=image("R32f", texel="%float")),
    row("the result of OpImageTexelPointer may be used by atomic instructions only",
        TEXEL.format("%xy", "%c0") + "\n%w = OpLoad %uint %t", types=image("R32ui")),
    # Kernels
    row("float add atomics require the AtomicFloat32AddEXT capability", FADD, **{**OPENCL, "caps": OPENCL["caps"] + "\nOpCapability AtomicFloat64AddEXT\n" + ADD}),
    row(None, FADD, **{**OPENCL, "caps": OPENCL["caps"] + "\nOpCapability AtomicFloat32AddEXT\n" + ADD}),
    row("10876] AtomicCompareExchange", CAS.format("%c0", "%c2"), **OPENCL),
    row(None, IADD.format("%c0", "%c16"), **OPENCL),
    row(None, "%r = OpAtomicFlagTestAndSet %bool %u %c1 %c0\nOpAtomicFlagClear %u %c1 %c0", **OPENCL),
    row("expected Result Type to be bool scalar type", "%r = OpAtomicFlagTestAndSet %uint %u %c1 %c0", **OPENCL),
    row("expected Pointer to point to a value of 32-bit integer type", "%r = OpAtomicFlagTestAndSet %bool %f %c1 %c0", **OPENCL),
    row("cannot be used with AtomicFlagClear", "OpAtomicFlagClear %u %c1 %c2", **OPENCL),
    row("Memory Semantics UniformMemory requires capability Shader", IADD.format("%c1", "%c72"), **OPENCL),
    # Structure
    row("Selection must be structured", "OpBranchConditional %true %a %b\n%a = OpLabel\nOpBranch %b\n%b = OpLabel"),
    row("Back-edges", "OpBranch %a\n%a = OpLabel\nOpSelectionMerge %b None\nOpBranchConditional %true %a %b\n%b = OpLabel"),
    row("ID 999 has not been defined", IADD.format("%999", "%c0")),
    row("does not dominate its use",
        "OpSelectionMerge %b None\nOpBranchConditional %true %a %b\n%a = OpLabel\n%n = OpLoad %uint %u\nOpBranch %b\n%b = OpLabel\nOpStore %u %n"),
    row("IAdd: expected operand 2 to be an integer", "%n = OpIAdd %uint %c1 %one"),
    row("OpStore Pointer", "OpStore %u %one"),
    row("index <id>", "%n = OpAccessChain %puint %var %c2"),
    row("types nest deeper than 255 levels", "", types="%n0 = OpTypeArray %uint %c1\n" + "\n".join(f"%n{i + 1} = OpTypeArray %n{i} %c1" for i in range(256))),
    row("larger than 2^48 bytes", "", types="%big = OpConstant %uint 0xffffffff\n%n0 = OpTypeArray %uint %big\n%n1 = OpTypeArray %n0 %big"),
    row("Duplicate non-aggregate type declarations are not allowed", "", types="%again = OpTypeInt 32 0"),
    # GLSL.std.450
    row("Length of GLSL.std.450: operand 1 is missing", "%n = OpExtInst %float %std Length %one", GLSL, cut=12),
    row("Cross of GLSL.std.450: operand 2 is missing", "%n = OpExtInst %vec3 %std Cross %three %three", GLSL, types=VECTORS, cut=12),
    row("Length of GLSL.std.450: expected operand 1 to be a float scalar or vector whose component type is Result Type",
        "%n = OpExtInst %float %std Length %c1", GLSL),
    row("Length of GLSL.std.450: expected operand 1 to be", "%n = OpExtInst %float %std Length %float", GLSL),
    row("Distance of GLSL.std.450: expected operand 2 to be of the first operand's type", "%n = OpExtInst %float %std Distance %one %three", GLSL, types=VECTORS),
    row("Cross of GLSL.std.450: expected Result Type to be a vector of 3 floats", "%n = OpExtInst %vec %std Cross %two %two", GLSL, types=VECTORS),
    row("Determinant of GLSL.std.450: expected operand 1 to be a square matrix", "%n = OpExtInst %float %std Determinant %oblong", GLSL, types=VECTORS),
    row("MatrixInverse of GLSL.std.450: expected Result Type to be a square float matrix", "%n = OpExtInst %mat23 %std MatrixInverse %oblong", GLSL,
        types=VECTORS),
    row("Modf of GLSL.std.450: expected operand 2 to be a pointer to Result Type", "%n = OpExtInst %float %std Modf %one %u", GLSL),
    row("Frexp of GLSL.std.450: expected operand 2 to be a pointer to 32-bit integers", "%n = OpExtInst %float %std Frexp %one %f", GLSL),
    row("ModfStruct of GLSL.std.450: expected Result Type to be a structure of two floats", "%n = OpExtInst %mixed %std ModfStruct %one", GLSL, types=VECTORS),
    row("FrexpStruct of GLSL.std.450: expected operand 1 to be of the type of Result Type's first member", "%n = OpExtInst %mixed %std FrexpStruct %two", GLSL,
        types=VECTORS),
    row("PackUnorm4x8 of GLSL.std.450: expected operand 1 to be a vector of 4 32-bit floats", "%n = OpExtInst %uint %std PackUnorm4x8 %two", GLSL, types=VECTORS),
    row("UnpackSnorm2x16 of GLSL.std.450: expected operand 1 to be a 32-bit integer", "%n = OpExtInst %vec %std UnpackSnorm2x16 %one", GLSL, types=VECTORS),
    row("PackDouble2x32 of GLSL.std.450: expected Result Type to be a 64-bit float", "%n = OpExtInst %float %std PackDouble2x32 %two", GLSL, types=VECTORS),
    row("Refract of GLSL.std.450: expected operand 3 to be a float scalar", "%n = OpExtInst %vec %std Refract %two %two %two", GLSL, types=VECTORS),
    row("FaceForward of GLSL.std.450: expected operand 3 to be of Result Type", "%n = OpExtInst %vec %std FaceForward %two %two %one", GLSL, types=VECTORS),
    row(None, "%n = OpExtInst %vec %std FaceForward %two %two %two\n%m = OpExtInst %float %std Length %three\n%o = OpExtInst %mixed %std FrexpStruct %one\n"
        "%p = OpExtInst %float %std Frexp %one %u\n%q = OpExtInst %float %std Modf %one %f\n%s = OpExtInst %vec %std UnpackHalf2x16 %c1", GLSL, types=VECTORS),
    # Every instruction that is wrong is reported, up to 20.
    row("IAdd: expected operand 2 to be an integer", "%n = OpIAdd %uint %c1 %one\n%m = OpFAdd %float %one %c1\nOpStore %u %one",
        also=("FAdd: expected operand 2 to be", "OpStore Pointer"), lines=3),
    row("ID 999 has not been defined", IADD.format("%999", "%c0") + "\nOpStore %u %998", also=("ID 998 has not been defined",), lines=2),
    row("IAdd: expected operand 2 to be an integer", "\n".join(f"%n{i} = OpIAdd %uint %c1 %one" for i in range(20)), lines=20),
    row("10 more breaches of rules are not shown", "\n".join(f"%n{i} = OpIAdd %uint %c1 %one" for i in range(30)), lines=21),
]


def text_of(case):
    """The module of a row."""
    numbers = "\n".join(f"%c{n} = OpConstant %uint {n}" for n in NUMBERS)
    return MODULE.format(caps=case["caps"], model=case.get("model", "Logical GLSL450"), entry=case.get("entry", "GLCompute"),
                         mode=case.get("mode", "OpExecutionMode %main LocalSize 1 1 1"), annotations=case.get("annotations", ""), storage=case.get("storage", "StorageBuffer"),
                         numbers=numbers, types=case.get("types", ""), locals=case.get("locals", ""), body=case["body"], interface=case.get("interface", ""), functions=case.get("functions", ""))


def cut(path, opcode):
    """Remove the last word of the first instruction with an opcode, which spirv-as cannot do."""
    with open(path, "rb") as file:
        data = file.read()
    words, at = list(struct.unpack(f"<{len(data) // 4}I", data)), 5
    while words[at] & 0xffff != opcode:
        at += words[at] >> 16
    words[at] -= 1 << 16
    del words[at + (words[at] >> 16)]
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{len(words)}I", *words))


def assemble(case, path):
    """Runs spirv-as for the version of the row."""
    target = case.get("spv", "spv1.3")
    forced = target.endswith("-forced")
    subprocess.run(["spirv-as", "--preserve-numeric-ids", "--target-env", "spv1.3" if forced else target, "-o", path, "-"],
                   input=text_of(case), text=True, check=True)
    if "cut" in case:
        cut(path, case["cut"])
    if forced:
        with open(path, "r+b") as file:
            file.seek(5)
            file.write(bytes([int(target[5])]))


def judge(tool, directory, number, case):
    """None, or the error."""
    path = f"{directory}/{number}.spv"
    assemble(case, path)
    done = subprocess.run([tool, "validate", "--spirv-val=none", "--environment=" + case.get("environment", "guess"), path],
                          capture_output=True, text=True, check=False)
    # Grammars since 2024 name one more capability that allows the atomic additions, minima and
    # maxima of floats.
    said = done.stdout.replace(" AtomicFloat16VectorNV", "")
    expect = case["expect"]
    if expect is None:
        wrong = done.returncode or "error" in done.stdout or case.get("warning", "") not in done.stdout
        wrong = wrong or "silent" in case and case["silent"] in done.stdout
    else:
        wrong = done.returncode != 1 or any(text not in said for text in (expect, *case.get("also", ())))
        wrong = wrong or done.stdout.count("error: ") != case.get("lines", done.stdout.count("error: "))
    return f"row {number}: {case['body'] or case.get('types')}\n  expected: {expect}\n  {done.stdout}{done.stderr}" if wrong else None


def main():
    """Command line."""
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda item: judge(sys.argv[1], directory, *item), enumerate(ROWS)))
    return judged.report(len(ROWS), [text for text in results if text])


if __name__ == "__main__":
    sys.exit(main())
