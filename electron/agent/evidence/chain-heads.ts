import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { AgentEvents } from '../events.ts';
import { fsPromises } from '../files/plain-fs.ts';
import type { Clock, Logger, SystemLog } from '../ports.ts';
import { OWNER_ONLY, replaceFile } from '../settings/guarded-path.ts';
import type { AuditRow } from '../store/audit-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { AuditTrail } from './audit-trail.ts';
import {
  chainBefore,
  checkChain,
  type ChainState,
  readStatements,
  replacedBy,
  statementLine,
} from './check-chain.ts';
import type { DeskKey, DeskKeys } from './desk-keys.ts';

/** How often the head is published, milliseconds. */
const INTERVAL_MS = 3_600_000;
/** How often the head is posted to a channel of the service, milliseconds; under a day, to allow for a slow start. */
const MESSAGE_INTERVAL_MS = 23.5 * 3_600_000;

/** Name of the file in the data directory with the published heads. */
const STATEMENTS_FILE = 'chain-heads.txt';
/** Size above which the older half is dropped, characters: a year of hourly lines is three million. */
const LARGEST_FILE = 8_000_000;

/** The published heads in a file beside the database: a second copy where the system log cannot be read. */
export function createStatementFile(dataDir: string) {
  const file = join(dataDir, STATEMENTS_FILE);
  const read = (): Promise<string> =>
    fsPromises.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
  return {
    read,
    async add(line: string): Promise<void> {
      await fsPromises.appendFile(file, `${line}\n`, { mode: OWNER_ONLY, flush: true });
      const text = await read();
      if (text.length <= LARGEST_FILE) return;
      const half = text.indexOf('\n', LARGEST_FILE / 2) + 1;
      await replaceFile(file, text.slice(half), { rights: OWNER_ONLY });
    },
  };
}

/** State of the chain, for Health. Times are ISO 8601 UTC. */
export interface ProofState {
  /** Undefined until the check of the whole chain after this start has finished. */
  readonly chain: ChainState | undefined;
  /** Fingerprint of the key in use; undefined while its store is locked. */
  readonly key: Pick<DeskKey, 'fingerprint' | 'keptIn'> | undefined;
  /** Why the key cannot be used. */
  readonly keyProblem: string | undefined;
  /** When the head was last published outside the database; undefined: not yet. */
  readonly statedAt: string | undefined;
  /**
   * The system log that heads are also written to; undefined where the host has none. `takes` is false after a refusal.
   */
  readonly systemLog: { readonly name: string; readonly takes: boolean } | undefined;
}

/** Publishes the newest hash outside the database, and compares the chain with what was published. */
export interface ChainHeads {
  start(): void;
  /** Publishes the head now. Resolves once it is published; never rejects. */
  stateNow(): Promise<void>;
  /**
   * Records a head, reads what belongs to it, and publishes it. `read` runs in one snapshot; it returns undefined if
   * another process wrote something it needs after the head, and is then called again with a newer head. Rejects if the
   * head cannot be recorded or the data cannot be read.
   */
  stateWith<T extends object>(signer: DeskKey, read: (head: AuditRow) => T | undefined): Promise<T>;
  /** Walks the whole chain. Rejects with the stop reason when stopped. */
  check(): Promise<ChainState>;
  state(): ProofState;
  stop(): Promise<void>;
}

interface Deps {
  readonly tables: Pick<Tables, 'audit' | 'deskKeys' | 'read' | 'writeUnsynced' | 'synced'>;
  readonly trail: Pick<AuditTrail, 'note'>;
  readonly keys: DeskKeys;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly events: AgentEvents;
  readonly dataDir: string;
  readonly deskId: string;
  readonly chainId: string;
  readonly systemLog: SystemLog | undefined;
  /** The start already reported that this is not the database of the last start. */
  readonly isReplacementTold: boolean;
  /** Posts the line to a channel of the service; undefined if none is set. */
  readonly send: ((line: string, signal: AbortSignal) => Promise<Result<unknown, Failure>>) | undefined;
}

/** Creates the chain heads; nothing is published or compared before `start`. */
export function createChainHeads(deps: Deps): ChainHeads {
  const { tables, trail, keys, clock, logger, events, systemLog, chainId, deskId } = deps;
  const file = createStatementFile(deps.dataDir);
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let chain: ChainState | undefined;
  let key: DeskKey | undefined;
  let keyProblem: string | undefined;
  let statedAt: string | undefined;
  let takes = true;

  async function readKey(): Promise<DeskKey | undefined> {
    try {
      key = await keys.current();
      keyProblem = undefined;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      key = undefined;
      const { code, message, advice } = error.failure;
      const problem = `${message} ${advice}`;
      if (keyProblem !== problem) events.emit({ event: 'warning', code, message: problem });
      keyProblem = problem;
    }
    return key;
  }

  /** This row is the published head. The next such row names it, so a pack needs no rows between the two. */
  const noteHead = (signer: DeskKey): AuditRow =>
    tables.writeUnsynced(() => {
      const before = tables.audit.lastAnchored();
      const previous = before && { sequence: before.sequence, hash: before.hash };
      return tables.audit.note(clock.now(), 'chain.anchored', { key: signer.fingerprint, previous });
    });

  const stateWith: ChainHeads['stateWith'] = async (signer, read) => {
    for (;;) {
      stopping.signal.throwIfAborted();
      const head = noteHead(signer);
      // Outside the write: reading may take seconds, and would block an agent that runs alongside
      const value = tables.read(() => read(head));
      if (value === undefined) continue;
      await publish(signer, head);
      return value;
    }
  };

  async function publish(signer: DeskKey, row: AuditRow): Promise<void> {
    try {
      // If a published row were lost, it would look as if somebody had removed it
      await tables.synced();
      const { sequence, hash } = row;
      const at = new Date(row.at).toISOString();
      const line = statementLine({ deskId, chainId, sequence, hash, key: signer.fingerprint, at }, signer);
      await file.add(line);
      const taken = (await systemLog?.write(line)) ?? true;
      if (!taken && takes)
        logger.warn(
          'The system log did not accept the latest hash of the audit trail; the hash is saved in the file only',
          { row: sequence, hash },
        );
      takes = taken;
      statedAt = at;
      const sentAt = tables.audit.lastSent()?.at ?? Number.NEGATIVE_INFINITY;
      if (deps.send === undefined || clock.now() - sentAt < MESSAGE_INTERVAL_MS) return;
      const sent = await deps.send(line, stopping.signal);
      // A message that may have been posted is not repeated every hour, to everyone's phone
      if (sent.ok || sent.error.mayHaveHappened === true) trail.note('chain.sent', { row: sequence });
    } catch (error) {
      unpublished(error);
    }
  }

  async function stateNow(): Promise<void> {
    try {
      const signer = await readKey();
      if (signer !== undefined && !stopping.signal.aborted) await publish(signer, noteHead(signer));
    } catch (error) {
      unpublished(error);
    }
  }

  function unpublished(error: unknown): void {
    if (!stopping.signal.aborted) logger.warn('The latest chain hash could not be published', { error });
  }

  async function readAll(): Promise<ReturnType<typeof readStatements>> {
    const texts = [await file.read(), (await systemLog?.read()) ?? ''];
    return texts.flatMap(readStatements);
  }

  async function check(): Promise<ChainState> {
    await readKey();
    const outside = { deskId, chainId, keys: tables.deskKeys.all(), statements: await readAll() };
    const pause = (): Promise<unknown> => setImmediate(undefined, { signal: stopping.signal });
    await pause();
    const state = await checkChain({ ...outside, reads: tables.audit, now: clock.now(), pause });
    stopping.signal.throwIfAborted();
    chain = { ...state, findings: [...state.findings, ...replaced(chainBefore(outside))] };
    for (const { row, text } of chain.findings) {
      // Recorded once per finding, although this row goes into the same chain
      if (!tables.audit.hasRow('chain.broken', { row, text })) trail.note('chain.broken', { row, text });
      events.emit({ event: 'warning', code: 'AUDIT_BROKEN', message: `${text} ${WHAT_IS_SAFE}` });
    }
    return chain;
  }

  /** An earlier database of this desk was replaced: reported once, and recorded so that later starts know. */
  function replaced(before: ReturnType<typeof chainBefore>): ChainState['findings'] {
    if (before === undefined) return [];
    const { chainId: earlier } = before;
    if (tables.audit.hasRow('chain.follows', { chain: earlier })) return [];
    trail.note('chain.follows', { chain: earlier });
    return deps.isReplacementTold ? [] : [replacedBy(before)];
  }

  function rowsNow(): number {
    const { anchor, tail } = tables.audit.ends();
    return (tail?.sequence ?? 0) - (anchor?.sequence ?? 0);
  }

  async function run(): Promise<void> {
    await check();
    for (;;) {
      await stateNow();
      await clock.sleep(INTERVAL_MS, stopping.signal);
    }
  }

  return {
    start() {
      running = run().catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.warn('The chain could not be checked', { error });
      });
    },
    stateNow,
    stateWith,
    check,
    state: () => ({
      chain: chain && { ...chain, rows: rowsNow() },
      key: key && { fingerprint: key.fingerprint, keptIn: key.keptIn },
      keyProblem,
      statedAt,
      systemLog: systemLog && { name: systemLog.name, takes },
    }),
    async stop() {
      stopping.abort(new Error('The agent is stopping'));
      await running;
    },
  };
}

const WHAT_IS_SAFE =
  'The agent did not do this. Uploads continue, and sent clips are not affected. Keep the data directory as it is, and tell whoever is responsible for evidence. For all findings, see Proof in Health, or run "vms-export-agent verify --chain".';
