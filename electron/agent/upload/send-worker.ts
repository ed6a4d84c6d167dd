/**
 * A thread that uploads small files whole: it opens and reads each by the rules of `takeSnapshot`, sends what it hashed
 * over sockets of its own, and looks at the path again when storage has answered. It decides nothing: who may be sent
 * where was decided before, and what an answer means is judged by the main thread, to which all of it goes back. After a
 * PUT that storage did not take, nothing more of its batch is begun.
 */
import { parentPort } from 'node:worker_threads';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import {
  lookAgain,
  takeSnapshot,
  type FileLook,
  type Snapshot,
  type SnapshotRequest,
} from '../files/snapshot-file.ts';
import { createCheckedLookup } from '../service/checked-lookup.ts';
import { createBufferPool } from '../service/signed-put-body.ts';
import { createSignedPut, type SignedPut } from '../service/signed-put.ts';
import type { PutOutcome } from '../service/signed-put-answer.ts';
import { trustAuthorities } from '../service/trust-system-certificates.ts';

/** Which addresses a name may lead to, and who is trusted. */
export interface StorageRules {
  readonly allowLoopback: boolean;
  readonly hosts: readonly string[];
  /** The certificate authorities of the main thread, which a thread does not share; undefined where no TLS is spoken. */
  readonly authorities?: readonly string[] | undefined;
}

/** A file and the checked URL that it goes to. */
export interface FileToSend extends SnapshotRequest {
  readonly url: string;
}

/** What became of one file. */
export type SentFile =
  /** Nothing was sent: the batch was ended or held, or another of its files was not taken. */
  | { readonly kind: 'left' }
  | { readonly kind: 'unread'; readonly failure: Failure }
  | {
      readonly kind: 'put';
      readonly put: PutOutcome;
      readonly sums: Omit<Snapshot, 'bytes'>;
      readonly look: Result<FileLook, Failure>;
    };

/** What the thread is asked. */
export type SendQuestion =
  | {
      readonly kind: 'send';
      readonly id: number;
      readonly rules: StorageRules;
      /** Files on the line at once. */
      readonly lanes: number;
      readonly files: readonly FileToSend[];
    }
  /** Breaks the batch off. */
  | { readonly kind: 'end'; readonly id: number }
  /** Nothing more is begun of what it was given so far. */
  | { readonly kind: 'hold' }
  /** Answered at once, unless a file system hangs. */
  | { readonly kind: 'ping' };

/** Some files of some batches, by their places in them, or just a sign of life. */
export interface SendAnswer {
  readonly sent: readonly { readonly id: number; readonly index: number; readonly file: SentFile }[];
}

/** Ends go together for this long, milliseconds, and no more of them at once: a message costs more than a file. */
const GATHER_MS = 3;
const MOST_ENDS = 8;
/** Larger files get memory of their own, bytes. */
const SLOT_BYTES = 256 * 1024;
/** Connections, over all batches. */
const MAX_SOCKETS = 16;

const clock = {
  after(delayMs: number, work: () => void): () => void {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};
/** All bytes are held: none is ever read into a buffer of this pool. */
const pool = createBufferPool(clock, 0);
/** The main thread hands nothing over while there is a limit. */
const limiter = {
  take: async () => undefined,
  chunkBytes: SLOT_BYTES,
  isLimited: false,
  setLimit: () => undefined,
};

interface Batch {
  isHeld: boolean;
  readonly ending: AbortController;
}

const batches = new Map<number, Batch>();
const clients = new Map<string, SignedPut>();
/** Memory that no socket uses. */
const free: Uint8Array<ArrayBuffer>[] = [];
let ends: SendAnswer['sent'][number][] = [];
let gathering: NodeJS.Timeout | undefined;

function say(): void {
  clearTimeout(gathering);
  gathering = undefined;
  const sent = ends;
  ends = [];
  parentPort?.postMessage({ sent } satisfies SendAnswer);
}

function note(id: number, index: number, file: SentFile): void {
  ends.push({ id, index, file });
  if (ends.length >= MOST_ENDS) say();
  else gathering ??= setTimeout(say, GATHER_MS);
}

function clientFor({ allowLoopback, hosts, authorities }: StorageRules): SignedPut {
  if (authorities !== undefined) trustAuthorities(authorities);
  const key = JSON.stringify([allowLoopback, hosts]);
  const lookup = createCheckedLookup({ allowLoopback, hosts });
  const client = clients.get(key) ?? createSignedPut({ clock, maxSockets: MAX_SOCKETS, lookup });
  clients.set(key, client);
  return client;
}

async function sendBatch({ id, rules, lanes, files }: SendQuestion & { kind: 'send' }): Promise<void> {
  const batch: Batch = { isHeld: false, ending: new AbortController() };
  batches.set(id, batch);
  const client = clientFor(rules);
  const waiting = files.entries();
  const lane = async (): Promise<void> => {
    for (const [index, file] of waiting) {
      const sent: SentFile = batch.isHeld ? { kind: 'left' } : await sendFile(client, file, batch);
      if (sent.kind === 'put' && !isStored(sent.put)) batch.isHeld = true;
      note(id, index, sent);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  batches.delete(id);
}

const isStored = (put: PutOutcome): boolean => put.kind === 'answer' && put.status < 300;

async function sendFile(client: SignedPut, file: FileToSend, { ending }: Batch): Promise<SentFile> {
  const memory = free.pop() ?? new Uint8Array(SLOT_BYTES);
  const taken = takeSnapshot(file, memory);
  if (!taken.ok) {
    free.push(memory);
    return { kind: 'unread', failure: taken.error };
  }
  const { bytes, ...sums } = taken.value;
  let uses = 1;
  const release = (): void => {
    uses -= 1;
    if (uses === 0) free.push(memory);
  };
  const use = () => {
    uses += 1;
    return release;
  };
  const put = await client.put({
    url: new URL(file.url),
    source: { bytes, use },
    offset: 0,
    length: bytes.length,
    pool,
    limiter,
    signal: ending.signal,
    withCrc32: false,
  });
  // A socket may still hold it
  release();
  return { kind: 'put', put, sums, look: lookAgain(file) };
}

parentPort?.on('message', (question: SendQuestion) => {
  switch (question.kind) {
    case 'send':
      return void sendBatch(question);
    case 'end': {
      const batch = batches.get(question.id);
      if (batch === undefined) return;
      batch.isHeld = true;
      return batch.ending.abort();
    }
    case 'hold':
      for (const batch of batches.values()) batch.isHeld = true;
      return;
    case 'ping':
      return say();
  }
});
