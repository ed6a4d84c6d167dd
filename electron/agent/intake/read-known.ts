import { setTimeout as delay } from 'node:timers/promises';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { FileSum } from '../files/file-sum.ts';
import type { Logger } from '../ports.ts';
import type { UnreadRow } from '../store/sent-rows.ts';
import type { Tables } from '../store/tables.ts';

/** How often it is looked for clips to read, milliseconds: they come after a queue was lost, or from another desk. */
const LOOK_MS = 2_000;
/** Rows of one look. */
const AT_ONCE = 20;

interface Deps {
  readonly tables: Pick<Tables, 'sent'>;
  readonly fileSum: FileSum;
  readonly logger: Pick<Logger, 'warn'>;
  readonly lookMs?: number;
}

const isLost = (file: string | undefined): boolean => file === 'gone' || file === 'changed';

/**
 * Reads, one after the other and in no hurry, the files of clips that only the service knows to be sent, so that they are
 * told again when they are touched or renamed later (service.md gap 12). What the file is now is taken for what was sent,
 * as it was when its id was found there. Answers what ends it.
 */
export function startReadingKnown({ tables, fileSum, logger, lookMs = LOOK_MS }: Deps): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function read({ clipId, rootPath, folder, path, folderGone, ...version }: UnreadRow): Promise<void> {
    const source = { rootPath, folder, path, version, isFolderGone: folderGone === 1 };
    const sum = await fileSum(source, signal);
    if (sum.ok) tables.sent.setSum(clipId, sum.value);
    // Changed or gone since: no later file can be compared with it
    else if (isLost(agentPolicyOf(sum.error.code).file)) tables.sent.setSum(clipId, '');
  }

  async function run(): Promise<void> {
    for (let after = ''; ;) {
      const rows = tables.sent.unread(after, AT_ONCE);
      for (const row of rows) await read(row);
      // One that cannot be read now is tried in the next round
      after = rows.length < AT_ONCE ? '' : (rows.at(-1)?.clipId ?? '');
      if (after === '') await delay(lookMs, undefined, { signal, ref: false });
    }
  }

  async function runUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      await run().catch((error: unknown) => {
        if (!signal.aborted) logger.warn('Clips that the service knows could not be read', { error });
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
