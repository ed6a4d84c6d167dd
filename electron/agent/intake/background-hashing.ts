import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../../shared/domain/settings.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { HASHED_AT_ONCE_BYTES } from '../core/settle/settle-rule.ts';
import type { FileSum } from '../files/file-sum.ts';
import { statOf } from '../files/read-entries.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { Clock, Logger } from '../ports.ts';
import type { JobRunner } from '../queue/job-runner.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { UnreadRow } from '../store/sent-rows.ts';
import type { Tables } from '../store/tables.ts';

// Background hashing: of large clips while the desk is idle, and of clips that only the service knows were sent.

/** How often to look for a clip to hash, milliseconds: a waiting clip waits longer than that. */
const IDLE_LOOK_MS = 5_000;

interface IdleDeps {
  readonly tables: Tables;
  readonly fileSum: FileSum;
  readonly gates: RootGates;
  readonly clock: Clock;
  readonly runner: Pick<JobRunner, 'active'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Creates the hashing of large clips while the desk is idle; `signal` ends it. */
export function createIdleHash(deps: IdleDeps, signal: AbortSignal) {
  let running: Promise<void> | undefined;
  return {
    start(rule: Settings['evidence']['hashAtIntake']) {
      if (rule === 'auto') running = hashWhileIdle(deps, signal);
    },
    ended: async () => running,
  };
}

/**
 * Hashes large waiting clips, one at a time, while nothing is sent: because service or storage is away, or a person
 * paused the uploads. Safe to interrupt at any time. Resolves when `signal` is aborted; never rejects.
 */
async function hashWhileIdle(deps: IdleDeps, signal: AbortSignal): Promise<void> {
  const { runner, tables, clock, logger } = deps;
  /** The last clip tried: each has one try per round, so that one that cannot be read does not block the others. */
  let last = '';
  let isTold = false;
  while (!signal.aborted) {
    let clip: ClipRow | undefined;
    try {
      clip = runner.active() === 0 ? tables.clips.nextUnhashed(HASHED_AT_ONCE_BYTES, last) : undefined;
      isTold = false;
    } catch (error) {
      if (!isTold) logger.warn('The queue cannot be read for clips to hash; this will be retried', { error });
      isTold = true;
    }
    last = clip?.id ?? '';
    if (clip !== undefined) await hashClip(deps, clip, signal).catch(() => undefined);
    else await clock.sleep(IDLE_LOOK_MS, signal).catch(() => undefined);
  }
}

async function hashClip(
  { tables, fileSum, gates }: IdleDeps,
  clip: ClipRow,
  signal: AbortSignal,
): Promise<void> {
  const incident = tables.incidents.byId(clip.incidentId);
  if (incident === undefined) return;
  const { rootPath, folder } = incident;
  const source = {
    rootPath,
    folder,
    path: clip.path,
    version: clip,
    isFolderGone: incident.folderGone === 1,
  };
  const sum = await fileSum(source, signal);
  if (!sum.ok) return;
  const stats = await statOf(gates.of(rootPath), join(rootPath, folder, clip.path), signal);
  // A file that changed since it was found must not pass for the one that was found
  if (stats === undefined || String(stats.ctimeNs) !== clip.foundCtimeNs) return;
  tables.writeUnsynced(() => tables.clips.setFoundSum(clip.id, sum.value));
}

/** How often to look for clips to read, milliseconds: they come after a queue was lost, or from another desk. */
const KNOWN_LOOK_MS = 2_000;
/** Rows per look. */
const AT_ONCE = 20;

interface KnownDeps {
  readonly tables: Pick<Tables, 'sent'>;
  readonly fileSum: FileSum;
  readonly logger: Pick<Logger, 'warn'>;
  readonly lookMs?: number;
}

const isLost = (file: string | undefined): boolean => file === 'gone' || file === 'changed';

/**
 * Reads, one after the other and in no hurry, the files of clips that only the service knows were sent, so that they
 * are recognised when they are touched or renamed later (service.md gap 12). The file as it is now counts as what was
 * sent, as it did when its ID was found there. Returns a function that stops it.
 */
export function startReadingKnown({
  tables,
  fileSum,
  logger,
  lookMs = KNOWN_LOOK_MS,
}: KnownDeps): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function read({ clipId, rootPath, folder, path, folderGone, ...version }: UnreadRow): Promise<void> {
    const source = { rootPath, folder, path, version, isFolderGone: folderGone === 1 };
    const sum = await fileSum(source, signal);
    if (sum.ok) tables.sent.setSum(clipId, sum.value);
    // Changed or gone since then: no later file can be compared with it
    else if (isLost(agentPolicyOf(sum.error.code).file)) tables.sent.setSum(clipId, '');
  }

  async function run(): Promise<void> {
    for (let after = ''; ;) {
      const rows = tables.sent.unread(after, AT_ONCE);
      for (const row of rows) await read(row);
      // A clip that cannot be read now is tried in the next round
      after = rows.length < AT_ONCE ? '' : (rows.at(-1)?.clipId ?? '');
      if (after === '') await delay(lookMs, undefined, { signal, ref: false });
    }
  }

  async function runUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      await run().catch((error: unknown) => {
        if (!signal.aborted) logger.warn('Clips that the service already has could not be hashed', { error });
      });
      await delay(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  const running = runUntilStopped();
  return async () => {
    stopping.abort(new Error('The agent is stopping'));
    await running;
  };
}
