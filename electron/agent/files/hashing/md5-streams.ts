import { BLOCK_BYTES, GROUP_STATE_BYTES, STREAMS_PER_GROUP, md5KernelBytes } from './md5-kernel.ts';

/** Most streams that advance together. */
export const STREAM_COUNT = 8;
const PAGE_BYTES = 64 * 1024;
/** Memory before the streams' buffers: states, and the last blocks of a stream. */
const HEAD_BYTES = 1024;
const TAIL_AT = 512;
const WORDS_PER_STATE = 4;
const FIRST_STATE = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const;

type Kernel = (...parameters: readonly number[]) => void;

/** Up to eight MD5 sums side by side: several cost hardly more than one. */
export interface Md5Streams {
  /** The buffer of a stream, from which `update` hashes. */
  buffer(stream: number): Buffer;
  begin(stream: number): void;
  /** Hashes the first `bytes[stream]` bytes of each stream's buffer; whole blocks of 64 unless the stream ends there. */
  update(bytes: readonly number[]): void;
  /** The sum in hex of `totalBytes`; those that fill no block are at `restAt` in the stream's buffer. */
  end(stream: number, totalBytes: number, restAt: number): string;
}

/** Makes the streams with a buffer of `bufferBytes` each, in the memory of the WebAssembly kernel. */
export function createMd5Streams(bufferBytes: number): Md5Streams {
  const pages = Math.ceil((HEAD_BYTES + STREAM_COUNT * bufferBytes) / PAGE_BYTES);
  const { memory, four, eight } = instantiate(pages);
  const state = new Uint32Array(memory, 0, STREAM_COUNT * WORDS_PER_STATE);
  const tail = Buffer.from(memory, TAIL_AT, 2 * BLOCK_BYTES);
  const startOf = (stream: number): number => HEAD_BYTES + stream * bufferBytes;
  const buffers = range(STREAM_COUNT).map((stream) => Buffer.from(memory, startOf(stream), bufferBytes));

  function wordAt(stream: number, word: number): number {
    const group = Math.floor(stream / STREAMS_PER_GROUP);
    return (group * GROUP_STATE_BYTES) / 4 + word * STREAMS_PER_GROUP + (stream % STREAMS_PER_GROUP);
  }

  /** Advances the streams that have an address by `blocks`; the others keep their state. */
  function run(addresses: readonly (number | undefined)[], blocks: number): void {
    const before = state.slice();
    const pointers = addresses.map(
      (address) => address ?? addresses.find((other) => other !== undefined) ?? 0,
    );
    const isUsed = (group: number): boolean =>
      range(STREAMS_PER_GROUP).some((stream) => addresses[group * STREAMS_PER_GROUP + stream] !== undefined);
    if (isUsed(0) && isUsed(1)) eight(0, ...pointers, blocks);
    else if (isUsed(0)) four(0, ...pointers.slice(0, STREAMS_PER_GROUP), blocks);
    else four(GROUP_STATE_BYTES, ...pointers.slice(STREAMS_PER_GROUP), blocks);
    for (const stream of range(STREAM_COUNT)) {
      if (addresses[stream] !== undefined) continue;
      for (const word of range(WORDS_PER_STATE))
        state[wordAt(stream, word)] = before[wordAt(stream, word)] ?? 0;
    }
  }

  function finish(stream: number, totalBytes: number, restAt: number): void {
    const restBytes = totalBytes % BLOCK_BYTES;
    const blocks = restBytes < BLOCK_BYTES - 8 ? 1 : 2;
    tail.fill(0);
    buffers[stream]?.copy(tail, 0, restAt, restAt + restBytes);
    tail[restBytes] = 0x80;
    tail.writeBigUInt64LE(BigInt(totalBytes) * 8n, blocks * BLOCK_BYTES - 8);
    run(
      range(STREAM_COUNT).map((one) => (one === stream ? TAIL_AT : undefined)),
      blocks,
    );
  }

  return {
    buffer: (stream) => buffers[stream] ?? Buffer.alloc(0),
    begin(stream) {
      FIRST_STATE.forEach((value, word) => (state[wordAt(stream, word)] = value));
    },
    update(bytes) {
      const left = bytes.map((count) => Math.floor(count / BLOCK_BYTES));
      const done = left.map(() => 0);
      for (;;) {
        const blocks = Math.min(...left.filter((count) => count > 0));
        if (!Number.isFinite(blocks)) return;
        run(
          range(STREAM_COUNT).map((stream) =>
            (left[stream] ?? 0) > 0 ? startOf(stream) + (done[stream] ?? 0) : undefined,
          ),
          blocks,
        );
        left.forEach((count, stream) => {
          if (count === 0) return;
          left[stream] = count - blocks;
          done[stream] = (done[stream] ?? 0) + blocks * BLOCK_BYTES;
        });
      }
    },
    end(stream, totalBytes, restAt) {
      finish(stream, totalBytes, restAt);
      const sum = Buffer.alloc(WORDS_PER_STATE * 4);
      for (const word of range(WORDS_PER_STATE))
        sum.writeUInt32LE(state[wordAt(stream, word)] ?? 0, word * 4);
      return sum.toString('hex');
    },
  };
}

/** The part of WebAssembly that is used; its full types come only with those of the browser. */
interface WasmRuntime {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

function instantiate(pages: number): { memory: ArrayBuffer; four: Kernel; eight: Kernel } {
  const runtime: unknown = Reflect.get(globalThis, 'WebAssembly');
  if (!isRuntime(runtime)) throw new Error('This runtime has no WebAssembly');
  const { exports } = new runtime.Instance(new runtime.Module(md5KernelBytes(pages)));
  const { memory, md5x4, md5x8 } = exports;
  if (!isMemory(memory) || !isKernel(md5x4) || !isKernel(md5x8)) {
    throw new Error('The MD5 kernel lacks an export');
  }
  return { memory: memory.buffer, four: md5x4, eight: md5x8 };
}

function isRuntime(value: unknown): value is WasmRuntime {
  return typeof value === 'object' && value !== null && 'Module' in value && 'Instance' in value;
}

function isMemory(value: unknown): value is { readonly buffer: ArrayBuffer } {
  return (
    typeof value === 'object' && value !== null && 'buffer' in value && value.buffer instanceof ArrayBuffer
  );
}

function isKernel(value: unknown): value is Kernel {
  return typeof value === 'function';
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_unused, index) => index);
}
