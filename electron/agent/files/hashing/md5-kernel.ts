/**
 * The few pieces of the WebAssembly binary format that the MD5 kernel is built from. An instruction is a list of bytes;
 * code is written inside out, operands first, as on the machine's stack.
 */
type Code = readonly number[];

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

const localGet = (index: number): Code => [0x20, ...unsigned(index)];
const localSet = (index: number, value: Code): Code => [...value, 0x21, ...unsigned(index)];
const i32Const = (value: number): Code => [0x41, ...signed(value)];
const i32Add = (left: Code, right: Code): Code => [...left, ...right, 0x6a];
/** Runs `body` once, and again while the 32-bit `condition` that follows it is not zero. */
const loopWhile = (body: Code, condition: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...condition,
  0x0d,
  0x00,
  0x0b,
];

/** 16 bytes at `address + offset`; no alignment is assumed. */
const load = (address: Code, offset: number): Code => [...address, ...simd(0x00, [0x00], unsigned(offset))];
const store = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  ...simd(0x0b, [0x00], unsigned(offset)),
];
/** A vector of four equal 32-bit numbers. */
const splat = (value: number): Code => {
  const bytes = [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
  return simd(0x0c, bytes, bytes, bytes, bytes);
};
/** Picks 16 of the 32 bytes of two vectors. */
const shuffle = (left: Code, right: Code, lanes: readonly number[]): Code => [
  ...left,
  ...right,
  ...simd(0x0d, lanes),
];
const and = binary(0x4e);
/** `left & ~right`. */
const andNot = binary(0x4f);
const or = binary(0x50);
const xor = binary(0x51);
const not = (value: Code): Code => [...value, ...simd(0x4d)];
const add = binary(0xae);
const shiftLeft = (value: Code, bits: number): Code => [...value, ...i32Const(bits), ...simd(0xab)];
const shiftRight = (value: Code, bits: number): Code => [...value, ...i32Const(bits), ...simd(0xad)];

/** A function of 32-bit parameters without a result; its locals after the parameters are vectors. */
interface WasmFunction {
  readonly name: string;
  readonly parameterCount: number;
  readonly vectorCount: number;
  readonly body: Code;
}

/** A module of one memory, exported as `memory`, and the functions given, exported by name. */
function wasmModule(memoryPages: number, functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
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
    ...section(3, vector(functions.map((_one, index) => unsigned(index)))),
    ...section(5, vector([[0x00, ...unsigned(memoryPages)]])),
    ...section(7, vector([...exports, [...text('memory'), 0x02, 0x00]])),
    ...section(10, vector(bodies)),
  ]);
}

const text = (name: string): Code => [...unsigned(name.length), ...Buffer.from(name, 'ascii')];
const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()];
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content];

/** Streams that one vector holds side by side. */
export const STREAMS_PER_GROUP = 4;
/** Bytes of one MD5 block. */
export const BLOCK_BYTES = 64;
/** Bytes of the state of one group: a, b, c, d as vectors of four lanes. */
export const GROUP_STATE_BYTES = 64;

const SHIFTS: readonly (readonly number[])[] = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
];
/** Which of the 16 words of a block a step uses, by round (RFC 1321). */
const WORD_OF_STEP: readonly ((step: number) => number)[] = [
  (step) => step,
  (step) => (5 * step + 1) % 16,
  (step) => (3 * step + 5) % 16,
  (step) => (7 * step) % 16,
];
const constantOf = (step: number): number => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32) >>> 0;

const LOW_WORDS = bytesOfWords([0, 4, 1, 5]);
const HIGH_WORDS = bytesOfWords([2, 6, 3, 7]);
const LOW_PAIRS = bytesOfWords([0, 1, 4, 5]);
const HIGH_PAIRS = bytesOfWords([2, 3, 6, 7]);

function bytesOfWords(words: readonly number[]): readonly number[] {
  return words.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte));
}

/** Locals of one group of four streams: pointers are parameters, the rest are vectors. */
interface Group {
  readonly pointers: readonly number[];
  /** a, b, c, d while a block is mixed. */
  readonly state: readonly number[];
  /** a, b, c, d before the block. */
  readonly before: readonly number[];
  /** The 16 words of the block, each a vector of four lanes. */
  readonly words: readonly number[];
  readonly stateOffset: number;
}

/**
 * MD5 of several independent streams at once. MD5 is a chain of 64 dependent steps, so one stream leaves most of
 * a processor idle; four streams share the lanes of a vector, and a second group fills the waits of the first.
 * Exports `md5x4(state, p0..p3, blocks)` and `md5x8(state, p0..p7, blocks)`: all streams advance by `blocks` (at
 * least 1) blocks of 64 bytes.
 */
export function md5KernelBytes(memoryPages: number): Uint8Array<ArrayBuffer> {
  return wasmModule(memoryPages, [kernel('md5x4', 1), kernel('md5x8', 2)]);
}

function kernel(name: string, groupCount: number): WasmFunction {
  const statePointer = 0;
  const pointerCount = groupCount * STREAMS_PER_GROUP;
  const blocks = pointerCount + 1;
  const parameterCount = blocks + 1;
  const groups = range(groupCount).map((index) => groupOf(index, parameterCount));
  const loop = loopWhile(
    [
      ...mixBlock(groups),
      ...groups.flatMap(advance),
      ...localSet(blocks, i32Add(localGet(blocks), i32Const(-1))),
    ],
    localGet(blocks),
  );
  const body = [
    ...groups.flatMap((group) =>
      group.state.flatMap((local, index) => localSet(local, loadState(group, index))),
    ),
    ...loop,
    ...groups.flatMap((group) =>
      group.state.flatMap((local, index) =>
        store(localGet(statePointer), group.stateOffset + index * 16, localGet(local)),
      ),
    ),
  ];
  return { name, parameterCount, vectorCount: groupCount * 24, body };

  function loadState(group: Group, index: number): Code {
    return load(localGet(statePointer), group.stateOffset + index * 16);
  }
}

function groupOf(index: number, parameterCount: number): Group {
  const first = parameterCount + index * 24;
  return {
    pointers: range(STREAMS_PER_GROUP).map((stream) => 1 + index * STREAMS_PER_GROUP + stream),
    state: range(4).map((word) => first + word),
    before: range(4).map((word) => first + 4 + word),
    words: range(16).map((word) => first + 8 + word),
    stateOffset: index * GROUP_STATE_BYTES,
  };
}

function mixBlock(groups: readonly Group[]): Code {
  return [
    ...groups.flatMap(loadWords),
    ...groups.flatMap((group) => copy(group.state, group.before)),
    // Interleaves the groups, so that the steps of one run while those of the other wait
    ...range(64).flatMap((step) => groups.flatMap((group) => mixStep(group, step))),
    ...groups.flatMap((group) =>
      group.state.flatMap((local, index) =>
        localSet(local, add(localGet(local), localGet(group.before[index] ?? local))),
      ),
    ),
  ];
}

function advance(group: Group): Code {
  return group.pointers.flatMap((pointer) =>
    localSet(pointer, i32Add(localGet(pointer), i32Const(BLOCK_BYTES))),
  );
}

function copy(from: readonly number[], to: readonly number[]): Code {
  return from.flatMap((local, index) => localSet(to[index] ?? local, localGet(local)));
}

/** Turns 16 bytes of each of four streams into four vectors that hold one word of each stream. */
function loadWords(group: Group): Code {
  return range(4).flatMap((quarter) => {
    const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = group.words.slice(quarter * 4, quarter * 4 + 4);
    const [t0 = 0, t1 = 0, t2 = 0, t3 = 0] = group.before;
    const [r0 = [], r1 = [], r2 = [], r3 = []] = [w0, w1, w2, w3].map(localGet);
    const rows = group.pointers.flatMap((pointer, stream) =>
      localSet([w0, w1, w2, w3][stream] ?? w0, load(localGet(pointer), quarter * 16)),
    );
    return [
      ...rows,
      ...localSet(t0, shuffle(r0, r1, LOW_WORDS)),
      ...localSet(t1, shuffle(r2, r3, LOW_WORDS)),
      ...localSet(t2, shuffle(r0, r1, HIGH_WORDS)),
      ...localSet(t3, shuffle(r2, r3, HIGH_WORDS)),
      ...localSet(w0, shuffle(localGet(t0), localGet(t1), LOW_PAIRS)),
      ...localSet(w1, shuffle(localGet(t0), localGet(t1), HIGH_PAIRS)),
      ...localSet(w2, shuffle(localGet(t2), localGet(t3), LOW_PAIRS)),
      ...localSet(w3, shuffle(localGet(t2), localGet(t3), HIGH_PAIRS)),
    ];
  });
}

/** a = b + rotate(a + f(b, c, d) + word + constant); the four state words rotate with each step. */
function mixStep(group: Group, step: number): Code {
  const round = Math.floor(step / 16);
  const turned = (place: number): number => group.state[(place + 64 - step) % 4] ?? 0;
  const [b, c, d] = [turned(1), turned(2), turned(3)].map(localGet);
  const a = turned(0);
  const word = group.words[WORD_OF_STEP[round]?.(step) ?? 0] ?? 0;
  const bits = SHIFTS[round]?.[step % 4] ?? 0;
  const known = add(add(localGet(a), splat(constantOf(step))), localGet(word));
  const sum = mixed(round, known, b ?? [], c ?? [], d ?? []);
  const rotated = or(shiftLeft(localGet(a), bits), shiftRight(localGet(a), 32 - bits));
  return [...localSet(a, sum), ...localSet(a, add(rotated, b ?? []))];
}

/** Terms with `b`, the newest word, come last, because everything waits for it. */
function mixed(round: number, known: Code, b: Code, c: Code, d: Code): Code {
  if (round === 0) return add(known, xor(d, and(xor(c, d), b)));
  if (round === 1) return add(add(known, andNot(c, d)), and(d, b));
  if (round === 2) return add(known, xor(xor(c, d), b));
  return add(known, xor(c, or(not(d), b)));
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_unused, index) => index);
}
