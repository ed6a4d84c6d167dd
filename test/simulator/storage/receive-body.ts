import { createHash, type Hash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { BodyConditions } from '../faults/carry-out.ts';
import type { Exchange } from '../http/exchange.ts';

/** `none` saves CPU in load tests: etags are then opaque, like those of encrypting stores. */
export type Hashing = 'full' | 'none';

export interface Digests {
  readonly md5?: string;
  readonly sha256?: string;
}

/** How receiving a body ended. */
export type BodyOutcome =
  | { readonly kind: 'whole'; readonly sizeBytes: number; readonly digests: Digests }
  | { readonly kind: 'gone' }
  | { readonly kind: 'too-slow' }
  | { readonly kind: 'not-written'; readonly cause: Error };

export interface ReceiveOptions {
  /** Where the bytes are written; if undefined, they are only counted and hashed. */
  readonly path: string | undefined;
  readonly hashing: Hashing;
  readonly idleMs: number;
  readonly conditions: BodyConditions;
}

/** Bytes waiting for the disk at which the socket is paused: enough to write in large pieces. */
const WRITE_BUFFER_BYTES = 2 * 1024 * 1024;

/** Streams a request's body to a file and hashes it on the way; never holds a whole part in memory. */
export function receiveBody(exchange: Exchange, options: ReceiveOptions): Promise<BodyOutcome> {
  const { request, entry } = exchange;
  const { resetAfterBytes, bytesPerSecond } = options.conditions;
  const file = openFile(options.path);
  const hashes = openHashes(options.hashing);
  return new Promise((resolve) => {
    const idle = watchIdle(options.idleMs, () => settle({ kind: 'too-slow' }));
    let isSettled = false;
    const settle = (outcome: BodyOutcome): void => {
      if (isSettled) return; // a request closes after its end, too
      isSettled = true;
      idle.stop();
      request.off('data', onData);
      if (outcome.kind === 'whole') finishFile(file, outcome, resolve);
      else abandonFile(file, outcome, resolve);
    };
    const onData = (chunk: Buffer): void => {
      entry.bytesReceived += chunk.length;
      idle.touch();
      for (const hash of hashes) hash.update(chunk);
      if (resetAfterBytes !== undefined && entry.bytesReceived >= resetAfterBytes) return reset();
      if (file && !file.write(chunk)) pauseUntilDrained();
      if (bytesPerSecond !== undefined) pauseFor((chunk.length / bytesPerSecond) * 1000);
    };
    const reset = (): void => void request.socket.resetAndDestroy();
    const pauseUntilDrained = (): void => {
      request.pause();
      file?.once('drain', () => request.resume());
    };
    const pauseFor = (ms: number): void => {
      request.pause();
      idle.hold();
      setTimeout(() => (idle.touch(), request.resume()), ms).unref();
    };
    file?.once('error', (cause) => settle({ kind: 'not-written', cause }));
    request.once('end', () =>
      settle({ kind: 'whole', sizeBytes: entry.bytesReceived, digests: digestsOf(hashes) }),
    );
    request.once('close', () => settle({ kind: 'gone' }));
    request.once('error', () => undefined);
    if (resetAfterBytes === 0) reset();
    else request.on('data', onData);
  });
}

function openFile(path: string | undefined): WriteStream | undefined {
  return path === undefined
    ? undefined
    : createWriteStream(path, { highWaterMark: WRITE_BUFFER_BYTES, flags: 'wx' });
}

function openHashes(hashing: Hashing): readonly Hash[] {
  return hashing === 'full' ? [createHash('md5'), createHash('sha256')] : [];
}

function digestsOf([md5, sha256]: readonly Hash[]): Digests {
  return md5 && sha256 ? { md5: md5.digest('hex'), sha256: sha256.digest('hex') } : {};
}

type Resolve = (outcome: BodyOutcome) => void;

function finishFile(file: WriteStream | undefined, outcome: BodyOutcome, resolve: Resolve): void {
  if (!file) return resolve(outcome);
  file.once('close', () => resolve(outcome));
  file.end();
}

function abandonFile(file: WriteStream | undefined, outcome: BodyOutcome, resolve: Resolve): void {
  if (!file || file.closed) return resolve(outcome);
  file.once('close', () => resolve(outcome));
  file.destroy();
}

/** Calls back once after this long without activity; time on hold does not count. */
function watchIdle(idleMs: number, onIdle: () => void) {
  let lastAt = performance.now();
  let isHeld = false;
  const timer = setInterval(
    () => {
      if (isHeld || performance.now() - lastAt < idleMs) return;
      clearInterval(timer);
      onIdle();
    },
    Math.min(1000, Math.ceil(idleMs / 4)),
  );
  timer.unref();
  return {
    touch: () => ((lastAt = performance.now()), (isHeld = false)),
    hold: () => (isHeld = true),
    stop: () => clearInterval(timer),
  };
}
