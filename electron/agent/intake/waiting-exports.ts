import type { IntakeRules } from '../core/naming/described-export.ts';
import type { ExportRef, ExportSnapshot } from '../core/settle/file-seen.ts';
import type { Clock, Logger } from '../ports.ts';
import type { Tables } from '../store/tables.ts';

/** How often it is looked whether a person has answered, milliseconds: the answer may come from another process. */
const LOOK_MS = 500;

/** Exports that wait, as they were handed over last: for a person's answer about their root, or for the clips that they are a copy of. */
export interface WaitingExports {
  /** Takes it in once the question about its root is answered; with `isDue`, once that is so. */
  keep(snapshot: ExportSnapshot, rules: IntakeRules, signal: AbortSignal, isDue?: () => boolean): void;
  /** The export is handed over anew. */
  drop(ref: ExportRef): void;
  /** Whether one is being taken, or is due. */
  hasDue(): boolean;
  settled(): Promise<void>;
}

interface Waiting {
  readonly snapshot: ExportSnapshot;
  readonly rules: IntakeRules;
  readonly isDue: (() => boolean) | undefined;
}

interface Deps {
  readonly tables: Pick<Tables, 'roots'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Pick<Logger, 'error'>;
}

type Take = (
  snapshot: ExportSnapshot,
  rules: IntakeRules,
  signal: AbortSignal,
) => Promise<'more' | undefined>;

/** Keeps them in memory: the watch hands everything over again after a restart. */
export function createWaitingExports({ tables, clock, logger }: Deps, take: Take): WaitingExports {
  const exports = new Map<string, Waiting>();
  let running: Promise<void> | undefined;
  let isTaking = false;

  const keyOf = ({ rootId, exportPath }: ExportRef): string => `${rootId}\n${exportPath}`;

  async function takeAnswered(signal: AbortSignal): Promise<void> {
    while (exports.size > 0) {
      await clock.sleep(LOOK_MS, signal);
      const asked = new Set(tables.roots.waiting());
      for (const [key, kept] of exports) {
        const { snapshot, rules, isDue } = kept;
        if (asked.has(snapshot.ref.rootPath) || isDue?.() === false) continue;
        exports.delete(key);
        isTaking = true;
        const taken = await take(snapshot, rules, signal)
          .catch((error: unknown) => {
            const { exportPath } = snapshot.ref;
            logger.error('An export could not be queued; it will be retried', {
              export: exportPath,
              error,
            });
            return 'more' as const;
          })
          .finally(() => (isTaking = false));
        if (taken === 'more' && !signal.aborted) exports.set(key, kept);
      }
    }
  }

  function start(signal: AbortSignal): void {
    running ??= takeAnswered(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) logger.error('Checking for an answer failed; it will be retried', { error });
      })
      .finally(() => {
        running = undefined;
        // One may have been kept since the last look
        if (exports.size > 0 && !signal.aborted) start(signal);
      });
  }

  return {
    keep(snapshot, rules, signal, isDue) {
      exports.set(keyOf(snapshot.ref), { snapshot, rules, isDue });
      start(signal);
    },
    hasDue: () => isTaking || [...exports.values()].some(({ isDue }) => isDue?.() === true),
    drop: (ref) => void exports.delete(keyOf(ref)),
    settled: async () => running,
  };
}
