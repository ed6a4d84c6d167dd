/**
 * The few pieces of the WebAssembly binary format that the MD5 kernel is built from. An instruction is a list of bytes;
 * code is written inside out, operands first, as on the machine's stack.
 */
export type Code = readonly number[];

const TYPE_I32 = 0x7f;
const TYPE_V128 = 0x7b;
const SIMD = 0xfd;

/** Unsigned LEB128. */
function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128 of a 32-bit number. */
function signed(value: number): Code {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isDone = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isDone ? low : low | 0x80);
    if (isDone) return bytes;
  }
}

const simd = (opcode: number, ...rest: readonly Code[]): Code => [SIMD, ...unsigned(opcode), ...rest.flat()];
const binary =
  (opcode: number) =>
  (left: Code, right: Code): Code => [...left, ...right, ...simd(opcode)];

export const localGet = (index: number): Code => [0x20, ...unsigned(index)];
export const localSet = (index: number, value: Code): Code => [...value, 0x21, ...unsigned(index)];
export const i32Const = (value: number): Code => [0x41, ...signed(value)];
export const i32Add = (left: Code, right: Code): Code => [...left, ...right, 0x6a];
/** Runs `body` once, and again while the 32-bit `condition` that follows it is not zero. */
export const loopWhile = (body: Code, condition: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...condition,
  0x0d,
  0x00,
  0x0b,
];

/** 16 bytes at `address + offset` of the memory; no alignment is assumed. */
export const load = (memory: number, address: Code, offset: number): Code => [
  ...address,
  ...simd(0x00, place(memory, offset)),
];
export const store = (memory: number, address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  ...simd(0x0b, place(memory, offset)),
];
const MEMORY_FOLLOWS = 0x40;
const place = (memory: number, offset: number): Code => [
  MEMORY_FOLLOWS,
  ...unsigned(memory),
  ...unsigned(offset),
];
/** A vector of four equal 32-bit numbers. */
export const splat = (value: number): Code => [...i32Const(value), ...simd(0x11)];
/** Picks 16 of the 32 bytes of two vectors. */
export const shuffle = (left: Code, right: Code, lanes: readonly number[]): Code => [
  ...left,
  ...right,
  ...simd(0x0d, lanes),
];
export const and = binary(0x4e);
/** `left & ~right`. */
export const andNot = binary(0x4f);
export const or = binary(0x50);
export const xor = binary(0x51);
export const not = (value: Code): Code => [...value, ...simd(0x4d)];
export const add = binary(0xae);
export const shiftLeft = (value: Code, bits: number): Code => [...value, ...i32Const(bits), ...simd(0xab)];
export const shiftRight = (value: Code, bits: number): Code => [...value, ...i32Const(bits), ...simd(0xad)];

/** Module name of the imported memories, whose names are their numbers. */
export const MEMORY_MODULE = 'memory';
/** Most pages of 64 KiB that a memory may have (4 GiB). */
const MOST_PAGES = 65_536;

/** A function of 32-bit parameters without a result; its locals after the parameters are vectors. */
export interface WasmFunction {
  readonly name: string;
  readonly parameterCount: number;
  readonly vectorCount: number;
  readonly body: Code;
}

/** A module that imports `memoryCount` shared memories, as `memory` 0, 1, …, and exports the functions by name. */
export function wasmModule(memoryCount: number, functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const imports = Array.from({ length: memoryCount }, (_unused, index) => [
    ...text(MEMORY_MODULE),
    ...text(String(index)),
    ...[0x02, 0x03],
    ...unsigned(1),
    ...unsigned(MOST_PAGES),
  ]);
  const types = functions.map((one) => [
    0x60,
    ...unsigned(one.parameterCount),
    ...Array<number>(one.parameterCount).fill(TYPE_I32),
    0x00,
  ]);
  const exports = functions.map((one, index) => [...text(one.name), 0x00, ...unsigned(index)]);
  const bodies = functions.map((one) => {
    const code = [0x01, ...unsigned(one.vectorCount), TYPE_V128, ...one.body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types)),
    ...section(2, vector(imports)),
    ...section(3, vector(functions.map((_one, index) => unsigned(index)))),
    ...section(7, vector(exports)),
    ...section(10, vector(bodies)),
  ]);
}

const text = (name: string): Code => [...unsigned(name.length), ...Buffer.from(name, 'ascii')];
const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];
