import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Logger } from '../ports.ts';
import type { SeenExportRow } from '../store/seen-export-rows.ts';
import type { Tables } from '../store/tables.ts';

/** Changes are collected for this long before they are written, milliseconds: a scan finds thousands in a second. */
const COLLECT_MS = 50;
/** Pause after a failed write, milliseconds: a full disk does not free itself immediately. */
const RETRY_MS = 5_000;
/** Rows of one transaction: a few milliseconds of work, then the event loop gets a turn. */
const ROWS_PER_WRITE = 500;

interface Deps {
  readonly tables: Pick<Tables, 'seenExports' | 'writeUnsynced' | 'held'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes the windows read the rows again. */
  readonly signals: { changed(subject: 'uploads' | 'health'): void };
}

type RemovedRow = Pick<SeenExportRow, 'rootId' | 'exportPath'>;

/** Writes rows in groups, a little later; a newer change of the same export replaces the one that is waiting. */
export function createSeenRowWriter({ tables, clock, logger, signals }: Deps) {
  const waiting = new Map<string, SeenExportRow | RemovedRow>();
  const stopping = new AbortController();
  let writing: Promise<void> | undefined;

  function writeSome(): void {
    const some: [string, SeenExportRow | RemovedRow][] = [];
    for (const entry of waiting) if (some.push(entry) === ROWS_PER_WRITE) break;
    // What a power cut undoes, the next scan finds again
    tables.writeUnsynced(() => {
      for (const [, row] of some) {
        if ('state' in row) tables.seenExports.put(row);
        else tables.seenExports.remove(row.rootId, row.exportPath);
      }
    });
    for (const [key, row] of some) if (waiting.get(key) === row) waiting.delete(key);
    signals.changed('uploads');
    signals.changed('health');
  }

  async function writeAll(): Promise<void> {
    let pauseMs = COLLECT_MS;
    while (waiting.size > 0) {
      if (pauseMs > 0) await clock.sleep(pauseMs, stopping.signal).catch(() => undefined);
      await tables.held();
      try {
        writeSome();
        pauseMs = 0;
        await nextTurn();
      } catch (error) {
        logger.warn('The list of exports outside the queue could not be saved', { error });
        // The next start finds it again
        if (stopping.signal.aborted) break;
        pauseMs = RETRY_MS;
      }
    }
    writing = undefined;
  }

  return {
    write(key: string, row: SeenExportRow | RemovedRow): void {
      waiting.set(key, row);
      writing ??= writeAll();
    },
    flush(): void {
      try {
        while (waiting.size > 0) writeSome();
      } catch {
        // The rows stay for the pending write, which logs the error
      }
    },
    async stop(): Promise<void> {
      stopping.abort(new Error('The agent is stopping'));
      await writing;
    },
  };
}
