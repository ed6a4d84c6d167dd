import {
  add,
  and,
  andNot,
  i32Add,
  i32Const,
  load,
  localGet,
  localSet,
  loopWhile,
  not,
  or,
  shiftLeft,
  shiftRight,
  shuffle,
  splat,
  store,
  xor,
  wasmModule,
  type Code,
  type WasmFunction,
} from './wasm-module.ts';

/** Streams that one vector holds side by side. */
export const STREAMS_PER_GROUP = 4;
/** Most streams that advance together. */
export const STREAM_COUNT = 2 * STREAMS_PER_GROUP;
/** Bytes of one MD5 block. */
export const BLOCK_BYTES = 64;
/** Bytes of the state of one group: a, b, c, d as vectors of four lanes. */
export const GROUP_STATE_BYTES = 64;
const STATE_MEMORY = 0;

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
  /** The memory in which each stream lies. */
  readonly memories: readonly number[];
  /** The 16 words of the block, each a vector of four lanes. */
  readonly words: readonly number[];
  readonly stateAt: number;
}

/**
 * MD5 of several independent streams at once. MD5 is a chain of 64 dependent steps, so one stream leaves most of
 * a processor idle; four streams share the lanes of a vector, and a second group fills the waits of the first.
 * Exports `first`, `second`, for one group each, and `both`: the streams of the group advance by `blocks` (at least 1)
 * blocks of 64 bytes. Parameters are the addresses of all eight streams, and `blocks`. The states are at the start of
 * memory 0; the bytes of stream n are in memory n + 1.
 */
export function md5KernelBytes(): Uint8Array<ArrayBuffer> {
  const functions = [kernel('first', [0]), kernel('second', [1]), kernel('both', [0, 1])];
  return wasmModule(1 + STREAM_COUNT, functions);
}

function kernel(name: string, groupIndexes: readonly number[]): WasmFunction {
  const blocks = STREAM_COUNT;
  const parameterCount = blocks + 1;
  const groups = groupIndexes.map((index, place) => groupOf(index, parameterCount + place * 24));
  const eachWord = (code: (local: number, address: Code, offset: number) => Code): Code =>
    groups.flatMap(({ state, stateAt }) =>
      state.flatMap((local, index) => code(local, i32Const(stateAt), index * 16)),
    );
  const loop = loopWhile(
    [
      ...mixBlock(groups),
      ...groups.flatMap(advance),
      ...localSet(blocks, i32Add(localGet(blocks), i32Const(-1))),
    ],
    localGet(blocks),
  );
  const body = [
    ...eachWord((local, address, offset) => localSet(local, load(STATE_MEMORY, address, offset))),
    ...loop,
    ...eachWord((local, address, offset) => store(STATE_MEMORY, address, offset, localGet(local))),
  ];
  return { name, parameterCount, vectorCount: groups.length * 24, body };
}

function groupOf(index: number, first: number): Group {
  const streams = range(STREAMS_PER_GROUP).map((stream) => index * STREAMS_PER_GROUP + stream);
  return {
    pointers: streams,
    memories: streams.map((stream) => 1 + stream),
    state: range(4).map((word) => first + word),
    before: range(4).map((word) => first + 4 + word),
    words: range(16).map((word) => first + 8 + word),
    stateAt: index * GROUP_STATE_BYTES,
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
      localSet(
        [w0, w1, w2, w3][stream] ?? w0,
        load(group.memories[stream] ?? 0, localGet(pointer), quarter * 16),
      ),
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
