import type { Settings } from '../../../shared/domain/settings.ts';
import { HASHED_AT_ONCE_BYTES } from '../core/settle/settle-rule.ts';
import type { FileSum } from '../files/file-sum.ts';
import { statOf } from '../files/read-entries.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { Clock } from '../ports.ts';
import type { JobRunner } from '../queue/job-runner.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { Tables } from '../store/tables.ts';
import { join } from 'node:path';

/** How often a desk that may be idle is looked at, milliseconds: a clip that waits does so for longer. */
const LOOK_MS = 5_000;

interface Deps {
  readonly tables: Tables;
  readonly fileSum: FileSum;
  readonly gates: RootGates;
  readonly clock: Clock;
  readonly runner: Pick<JobRunner, 'active'>;
}

/** Makes what hashes while the desk is idle; `signal` ends it. */
export function createIdleHash(deps: Deps, signal: AbortSignal) {
  let running: Promise<void> | undefined;
  return {
    start(rule: Settings['evidence']['hashAtIntake']) {
      if (rule === 'auto') running = hashWhileIdle(deps, signal);
    },
    ended: async () => running,
  };
}

/**
 * Hashes large clips that wait, one at a time, while nothing is sent: because service or storage are away, or a person
 * paused the uploads. Safe to break off at any time. Resolves when `signal` is aborted.
 */
async function hashWhileIdle(deps: Deps, signal: AbortSignal): Promise<void> {
  /** Each clip once in a round: one that cannot be read does not keep the others waiting. */
  let last = '';
  while (!signal.aborted) {
    const clip =
      deps.runner.active() === 0 ? deps.tables.clips.nextUnhashed(HASHED_AT_ONCE_BYTES, last) : undefined;
    last = clip?.id ?? '';
    if (clip !== undefined) await hashClip(deps, clip, signal).catch(() => undefined);
    else await deps.clock.sleep(LOOK_MS, signal).catch(() => undefined);
  }
}

async function hashClip({ tables, fileSum, gates }: Deps, clip: ClipRow, signal: AbortSignal): Promise<void> {
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
  // A file that was changed since it was found must not pass for the one that was found
  if (stats === undefined || String(stats.ctimeNs) !== clip.foundCtimeNs) return;
  tables.write(() => tables.clips.setFoundSum(clip.id, sum.value));
}
