import {
  BLOCK_BYTES,
  GROUP_STATE_BYTES,
  STREAM_COUNT,
  STREAMS_PER_GROUP,
  md5KernelBytes,
} from './md5-kernel.ts';
import { MEMORY_MODULE } from './wasm-module.ts';
import { createSharedMemory, wasmRuntime, type SharedMemory } from './shared-memory.ts';

/** The streams' own memory begins with their states, and the last blocks of one that ends; buffers follow. */
const TAIL_AT = 512;
const HEAD_BYTES = 1024;
const WORDS_PER_STATE = 4;
const FIRST_STATE = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;

type Kernel = (...parameters: readonly number[]) => void;
type Kernels = Readonly<Record<'first' | 'second' | 'both', Kernel>>;

/** Where the bytes of a stream are. */
interface Place {
  readonly memory: SharedMemory;
  readonly at: number;
}

/** Up to eight MD5 sums side by side: several cost hardly more than one. */
export interface Md5Streams {
  /** The buffer of a stream. */
  buffer(stream: number): Buffer;
  /** Starts a stream whose bytes are put into its buffer for each `update`, or lie one after the other in `held`. */
  begin(stream: number, held?: Place): void;
  /** Hashes the next `bytes[stream]` bytes of each stream; whole blocks of 64 unless the stream ends there. */
  update(bytes: readonly number[]): void;
  /** The sum in hex of `totalBytes`, which are those of all updates. */
  end(stream: number, totalBytes: number): string;
}

/** Makes the streams with a buffer of `bufferBytes` each. An update is at most eight times as long. */
export function createMd5Streams(bufferBytes: number): Md5Streams {
  const own = createSharedMemory(HEAD_BYTES + STREAM_COUNT * bufferBytes);
  const { Module } = wasmRuntime();
  const module = new Module(md5KernelBytes());
  const state = new Uint32Array(own.buffer, 0, STREAM_COUNT * WORDS_PER_STATE);
  const tail = Buffer.from(own.buffer, TAIL_AT, 2 * BLOCK_BYTES);
  const ownPlaces = range(STREAM_COUNT).map((stream) => ({
    memory: own,
    at: HEAD_BYTES + stream * bufferBytes,
  }));
  const buffers = ownPlaces.map(({ at }) => Buffer.from(own.buffer, at, bufferBytes));
  const ownKernels = instantiate(module, own, ownPlaces);
  /** Where the next bytes of each stream are. */
  const places: Place[] = [...ownPlaces];
  let bound: { readonly places: readonly Place[]; readonly kernels: Kernels } | undefined;

  /** Kernels for the memories of these places; those used last are kept. */
  function kernelsFor(wanted: readonly Place[]): Kernels {
    if (!bound?.places.every(({ memory }, stream) => memory === wanted[stream]?.memory))
      bound = { places: wanted, kernels: instantiate(module, own, wanted) };
    return bound.kernels;
  }

  function wordAt(stream: number, word: number): number {
    const group = Math.floor(stream / STREAMS_PER_GROUP);
    return (group * GROUP_STATE_BYTES) / 4 + word * STREAMS_PER_GROUP + (stream % STREAMS_PER_GROUP);
  }

  /** Advances the streams that have an address by `blocks`; the others keep their state. */
  function run(using: Kernels, addresses: readonly (number | undefined)[], blocks: number): void {
    const before = state.slice();
    const pointers = addresses.map((address) => address ?? 0);
    const isUsed = (group: number): boolean =>
      range(STREAMS_PER_GROUP).some((stream) => addresses[group * STREAMS_PER_GROUP + stream] !== undefined);
    const name = isUsed(0) && isUsed(1) ? 'both' : isUsed(0) ? 'first' : 'second';
    using[name](...pointers, blocks);
    for (const stream of range(STREAM_COUNT)) {
      if (addresses[stream] !== undefined) continue;
      for (const word of range(WORDS_PER_STATE))
        state[wordAt(stream, word)] = before[wordAt(stream, word)] ?? 0;
    }
  }

  function finish(stream: number, totalBytes: number): void {
    const restBytes = totalBytes % BLOCK_BYTES;
    const blocks = restBytes < BLOCK_BYTES - 8 ? 1 : 2;
    const { memory, at } = places[stream] ?? { memory: own, at: 0 };
    tail.fill(0);
    tail.set(new Uint8Array(memory.buffer, at, restBytes));
    tail[restBytes] = 0x80;
    tail.writeBigUInt64LE(BigInt(totalBytes) * 8n, blocks * BLOCK_BYTES - 8);
    const addresses = range(STREAM_COUNT).map((one) => (one === stream ? TAIL_AT : undefined));
    run(ownKernels, addresses, blocks);
  }

  return {
    buffer: (stream) => buffers[stream] ?? Buffer.alloc(0),
    begin(stream, held = ownPlaces[stream]) {
      if (held === undefined) throw new RangeError(`There is no stream ${stream}`);
      FIRST_STATE.forEach((value, word) => (state[wordAt(stream, word)] = value));
      places[stream] = held;
    },
    update(bytes) {
      const left = bytes.map((count) => Math.floor(count / BLOCK_BYTES));
      places.forEach(({ memory }, stream) => {
        const start = ownPlaces[stream];
        if (memory === own && start !== undefined) places[stream] = start;
      });
      for (;;) {
        const blocks = Math.min(...left.filter((count) => count > 0));
        if (!Number.isFinite(blocks)) return;
        const addresses = places.map(({ at }, stream) => ((left[stream] ?? 0) > 0 ? at : undefined));
        // The kernel also reads for streams that pause, from the start of a memory that is large enough for that
        const wanted = places.map((place, stream) =>
          addresses[stream] === undefined ? (ownPlaces[stream] ?? place) : place,
        );
        run(kernelsFor(wanted), addresses, blocks);
        places.forEach(({ memory, at }, stream) => {
          if (addresses[stream] === undefined) return;
          left[stream] = (left[stream] ?? 0) - blocks;
          places[stream] = { memory, at: at + blocks * BLOCK_BYTES };
        });
      }
    },
    end(stream, totalBytes) {
      finish(stream, totalBytes);
      const sum = Buffer.alloc(WORDS_PER_STATE * 4);
      for (const word of range(WORDS_PER_STATE))
        sum.writeUInt32LE(state[wordAt(stream, word)] ?? 0, word * 4);
      places[stream] = ownPlaces[stream] ?? { memory: own, at: 0 };
      return sum.toString('hex');
    },
  };
}

function instantiate(module: object, own: SharedMemory, places: readonly Place[]): Kernels {
  const { Instance } = wasmRuntime();
  const memories = [own, ...places.map(({ memory }) => memory)];
  const { first, second, both } = new Instance(module, { [MEMORY_MODULE]: memories }).exports;
  if (!isKernel(first) || !isKernel(second) || !isKernel(both)) {
    throw new Error('The MD5 kernel lacks an export');
  }
  return { first, second, both };
}

function isKernel(value: unknown): value is Kernel {
  return typeof value === 'function';
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_unused, index) => index);
}
