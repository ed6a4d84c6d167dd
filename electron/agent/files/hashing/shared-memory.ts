/** Memory that threads share, and in which WebAssembly computes. Its full type comes only with those of the browser. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** The part of WebAssembly that is used. */
interface WasmRuntime {
  readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => SharedMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, readonly SharedMemory[]>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

const PAGE_BYTES = 64 * 1024;
const memories = new WeakMap<ArrayBufferLike, SharedMemory>();

/** A buffer of `bytes` in memory of its own. */
export function createSharedBuffer(bytes: number): Buffer {
  const memory = createSharedMemory(bytes);
  memories.set(memory.buffer, memory);
  return Buffer.from(memory.buffer, 0, bytes);
}

/** The memory of a buffer that `createSharedBuffer` made in this thread, or of a part of one. */
export function memoryOf({ buffer }: Uint8Array): SharedMemory {
  const memory = memories.get(buffer);
  if (memory === undefined) throw new TypeError('The bytes are not in shared memory');
  return memory;
}

/** Memory of at least `bytes`. */
export function createSharedMemory(bytes: number): SharedMemory {
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES));
  return new (wasmRuntime().Memory)({ initial: pages, maximum: pages, shared: true });
}

export function wasmRuntime(): WasmRuntime {
  const runtime: unknown = Reflect.get(globalThis, 'WebAssembly');
  if (!isRuntime(runtime)) throw new Error('This runtime has no WebAssembly');
  return runtime;
}

function isRuntime(value: unknown): value is WasmRuntime {
  return typeof value === 'object' && value !== null && 'Memory' in value && 'Instance' in value;
}
