import type { PieceAnswer, PieceRequest } from './calls/uploads.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { CallReply } from '../../shared/ipc/envelope.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { AgentEvents } from './events.ts';
import type { PushRequest } from './files/watched-root.ts';
import type { TransferMeter } from './upload/transfer-meter.ts';
import type { AgentSignals } from './calls/signals.ts';
import type { Tables } from './store/tables.ts';
import type { Watcher } from './watch/watcher.ts';

/** Progress of the agent, cheap to read several times a second. Byte counts are of acknowledged bytes unless noted. */
export interface Progress {
  readonly incidents: number;
  /** Incidents whose record the service refused for good. */
  readonly incidentsRefused: number;
  readonly clips: number;
  readonly clipsUploaded: number;
  readonly clipsFailed: number;
  /** Clips that a person paused: individually, with their incident or with everything. */
  readonly clipsPaused: number;
  readonly bytesTotal: number;
  readonly bytesUploaded: number;
  /** Bytes of clips in flight that storage has accepted, within parts too; for a smooth bar only. */
  readonly bytesInFlight: number;
  /** Files seen in watched folders that wait to settle. */
  readonly settling: number;
  readonly pausedBecause: Failure | undefined;
}

/** The agent: folders in, incident records out. Call `start` and `stop` once each. */
export interface Agent {
  /** Locks the data directory, opens the queue, scans, uploads. Rejects with `FailureError` when it cannot. */
  start(): Promise<void>;
  /** Stops in reverse order; parts in flight may be repeated after the next start, nothing is lost. */
  stop(): Promise<void>;
  /** Resolves, with the reason, when the agent stopped on its own because its database failed again and again. */
  readonly ended: Promise<Failure>;
  readonly events: AgentEvents;
  /** What windows receive: changes, progress, news (shared/ipc/events.ts). Can be subscribed to before `start`. */
  readonly signals: AgentSignals;
  /**
   * Answers a request of the contract (shared/ipc), however malformed. Never rejects. `signal` cancels the call.
   * CALL_FAULT before `start` has resolved and after `stop`, which cancels what is under way.
   */
  call(request: unknown, signal?: AbortSignal): Promise<CallReply>;
  progress(): Progress;
  /** Queues the folders as incidents; they settle by the same rule as watched ones. */
  push(requests: readonly PushRequest[]): void;
  /**
   * Resolves when every file that was seen is settled or held, every job is done or failed, and every incident is
   * written to the service; or as soon as the service refuses the key or cannot be reached, with that failure.
   */
  untilIdle(signal?: AbortSignal): Promise<Failure | undefined>;
  /**
   * The PC goes to sleep: nothing starts until `resume`, and what is under way goes back into the queue without
   * counting as an attempt. Resolves once that is done. Independent of a pause by a person, and not stored.
   */
  suspend(): Promise<void>;
  /**
   * The program is about to end: nothing new starts. Resolves when what is on the line has ended; call `stop` after it,
   * or earlier when that takes too long.
   */
  drain(): Promise<void>;
  /** The PC is awake again: waits for the network, then continues. Resolves when it does. */
  resume(): Promise<void>;
  /**
   * Absolute path of a queued clip's file: for the host's own use, never for a page. Errors: NOT_FOUND, FILE_GONE,
   * FILE_LINK and similar ones, ROOT_OFFLINE, ROOT_HUNG; CALL_FAULT while the agent does not run.
   */
  locateClip(clipId: string): Promise<Result<string, Failure>>;
  /** Somebody signed in to the console of this host: adds a row to the chain, if one can be written now. */
  noteSignIn(): void;
  /** One piece of a clip that a page plays by its ticket; the host adds the headers of every answer. */
  playClip(request: PieceRequest, signal: AbortSignal): Promise<PieceAnswer>;
}

/** An agent that runs with one set of settings. */
export interface BuiltAgent extends Pick<
  Agent,
  'untilIdle' | 'drain' | 'suspend' | 'resume' | 'locateClip' | 'noteSignIn' | 'playClip' | 'push' | 'stop'
> {
  /** Starts what was built, once. Throws when nothing can be stored; it must be stopped then. */
  begin(): void;
  readonly meter: Pick<TransferMeter, 'inFlight' | 'inFlightBytes' | 'totalSentBytes'>;
  call(request: unknown, signal: AbortSignal | undefined): Promise<CallReply>;
  /** Always recounts; nothing is cached. */
  progress(): Progress;
}

interface Deps {
  readonly tables: Pick<Tables, 'clips' | 'desk' | 'incidents'>;
  /** Why the queue waits, the most important reason first. */
  readonly pauses: () => readonly { readonly failure: Failure }[];
  readonly meter: Pick<TransferMeter, 'inFlightBytes'>;
  readonly watchers: readonly Watcher[];
}

/** The progress of an agent that has not started. */
export const noProgress: Progress = {
  incidents: 0,
  incidentsRefused: 0,
  clips: 0,
  clipsUploaded: 0,
  clipsFailed: 0,
  clipsPaused: 0,
  bytesTotal: 0,
  bytesUploaded: 0,
  bytesInFlight: 0,
  settling: 0,
  pausedBecause: undefined,
};

/** Counts the progress of the agent. */
export function countProgress({ tables, pauses, meter, watchers }: Deps): Progress {
  const rows = tables.clips.totals();
  const of = (...states: readonly string[]) => rows.filter((row) => states.includes(row.state));
  const sum = (states: readonly string[], field: 'clips' | 'bytes') =>
    of(...states).reduce((total, row) => total + row[field], 0);
  return {
    incidents: tables.incidents.count(),
    incidentsRefused: tables.incidents.countRefused(),
    clips: sum(['queued', 'uploaded', 'failed'], 'clips'),
    clipsUploaded: sum(['uploaded'], 'clips'),
    clipsFailed: sum(['failed'], 'clips'),
    clipsPaused: tables.desk.isPaused()
      ? sum(['queued'], 'clips')
      : rows.reduce((total, row) => total + row.held, 0),
    // Paused clips are not on their way: a bar that counted them would never be full
    bytesTotal: sum(['queued', 'uploaded'], 'bytes') - rows.reduce((total, row) => total + row.heldBytes, 0),
    bytesUploaded: sum(['uploaded'], 'bytes'),
    bytesInFlight: meter.inFlightBytes(),
    settling: watchers.reduce((total, watcher) => total + watcher.state().settling, 0),
    pausedBecause: pauses()[0]?.failure,
  };
}
