import { parentPort } from 'node:worker_threads';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../../shared/lib/result.ts';
// The tasks of the thread that reads the same root: another one would cost 10 MiB
import '../../files/snapshot-tasks.ts';
import {
  lookAgain,
  SMALL_BYTES,
  takeSnapshot,
  type FileLook,
  type Snapshot,
  type SnapshotRequest,
} from '../../files/snapshot-file.ts';
import type { StartedTask, ThreadMessage } from '../../files/started-tasks.ts';
import { letMainThreadGoFirst } from '../../files/thread-priority.ts';
import { createCheckedLookup } from '../../service/checked-lookup.ts';
import type { SignedUrlRules } from '../../core/parts/check-signed-url.ts';
import { createPutConnections, type PutConnections } from '../../service/put-connections.ts';
import { runExchange, type ExchangeOutcome } from '../../service/put-exchange.ts';

/** Where bytes may be sent, and whom to trust. */
export interface SendWay extends Pick<SignedUrlRules, 'allowLoopback' | 'hosts'> {
  /** Certificate authorities, if there are more than Node's own. */
  readonly authorities: readonly string[] | undefined;
}

/** A small file to send whole to a signed URL that has been checked. */
export interface SendRequest extends SnapshotRequest {
  readonly url: string;
}

/** What became of a file: it could not be read, or how its PUT ended, with a look at the file after that. */
export type SendAnswer = Result<SentSnapshot, Failure>;

export interface SentSnapshot extends Omit<Snapshot, 'bytes'> {
  readonly ended: ExchangeOutcome;
  readonly look: Result<FileLook, Failure>;
}

/** PUTs at once. Files wait outside of memory: only those on the line are held. */
const MOST_AT_ONCE = 8;
/** Answers are collected for this long, milliseconds: a message costs the main thread more than an answer in it. */
const GATHER_MS = 2;

/** One buffer holds any small file, so it is never too small for another one. */
const buffers: Uint8Array<ArrayBuffer>[] = [];
const waiting: StartedTask<SendRequest>[] = [];
const running = new Map<number, AbortController>();
let answers: { readonly key: number; readonly answer: SendAnswer }[] = [];
let connections: PutConnections | undefined;
let isTurnDue = false;

const options = {
  clock: {
    after(delayMs: number, work: () => void) {
      const timer = setTimeout(work, delayMs);
      return () => clearTimeout(timer);
    },
  },
};

/** The limit of the line is kept by whoever starts the task. */
const limiter = { take: async () => undefined, chunkBytes: SMALL_BYTES, setLimit: () => undefined };

function open({ authorities, ...rules }: SendWay): void {
  connections = createPutConnections({ ca: authorities, lookup: createCheckedLookup(rules) });
}

function answer(key: number, one: SendAnswer): void {
  answers.push({ key, answer: one });
  if (answers.length > 1) return;
  setTimeout(() => {
    if (answers.length > 0) parentPort?.postMessage({ ended: answers });
    answers = [];
  }, GATHER_MS);
}

async function send({ key, request }: StartedTask<SendRequest>, over: PutConnections): Promise<void> {
  const buffer = buffers.pop() ?? new Uint8Array(SMALL_BYTES);
  const taken = takeSnapshot(request, buffer);
  if (!taken.ok) {
    buffers.push(buffer);
    return answer(key, taken);
  }
  const { bytes, ...snapshot } = taken.value;
  const ending = new AbortController();
  running.set(key, ending);
  let uses = 0;
  const use = () => {
    uses += 1;
    return () => void (uses -= 1);
  };
  const input = {
    url: new URL(request.url),
    source: { bytes, use },
    offset: 0,
    length: bytes.length,
    limiter,
    signal: ending.signal,
    withCrc32: false,
  };
  const ended = await runExchange({ options, connections: over, input });
  running.delete(key);
  // A socket that is still to be closed may read from it
  if (uses === 0) buffers.push(buffer);
  // Nobody waits for it, and the thread may have another owner
  if (ending.signal.aborted) return;
  answer(key, ok({ ...snapshot, ended: withoutError(ended), look: lookAgain(request) }));
}

/** An error does not survive its way to another thread. */
function withoutError(ended: ExchangeOutcome): ExchangeOutcome {
  if (ended.kind !== 'network') return ended;
  const { error: _error, ...problem } = ended;
  return problem;
}

/** Begins one file in each turn, so that answers are read meanwhile. */
function turn(): void {
  isTurnDue = false;
  const next = connections !== undefined && running.size < MOST_AT_ONCE ? waiting.shift() : undefined;
  if (next === undefined || connections === undefined) return;
  void send(next, connections).finally(turnSoon);
  turnSoon();
}

function turnSoon(): void {
  if (isTurnDue) return;
  isTurnDue = true;
  setImmediate(turn);
}

function abort(key: number): void {
  const index = waiting.findIndex((one) => one.key === key);
  if (index >= 0) waiting.splice(index, 1);
  running.get(key)?.abort();
}

letMainThreadGoFirst();
parentPort?.on('message', (message: ThreadMessage<SendRequest, SendWay>) => {
  if ('open' in message) open(message.open);
  else if ('start' in message) {
    waiting.push(...message.start);
    turnSoon();
  } else if ('abort' in message) abort(message.abort);
  else if ('leave' in message) {
    waiting.length = 0;
    answers = [];
    for (const ending of running.values()) ending.abort();
    connections?.stop();
    connections = undefined;
  }
});
