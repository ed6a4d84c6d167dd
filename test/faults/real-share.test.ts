import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBench } from '../helpers/agent-bench.ts';
import { eventually } from '../helpers/eventually.ts';
import { mountFaultShare, noShare, type ShareFault } from '../helpers/fault-share.ts';

const everything: ShareFault['operations'] = ['stat', 'list', 'open', 'read'];
const faults: readonly (ShareFault & { readonly row: string; readonly name: string })[] = [
  { row: 'fault 38', name: 'EIO on everything', errno: 5, operations: everything },
  { row: 'fault 38', name: 'EIO on reads', errno: 5, operations: ['read'] },
  { row: 'fault 38', name: 'ESTALE', errno: 116, operations: everything },
  { row: 'fault 38', name: 'ENOTCONN', errno: 107, operations: everything },
  { row: 'fault 39', name: 'reads that hang', errno: 0, operations: ['read'] },
  { row: 'fault 39', name: 'everything hangs', errno: 0, operations: everything },
  { row: 'fault 40', name: 'EACCES on one file', errno: 13, operations: ['open'], only: 'a.avi' },
  { row: 'fault 40, input A15', name: 'EBUSY on one file', errno: 16, operations: ['open'], only: 'a.avi' },
];
/** Time within which somebody is notified of which watched folder it is, milliseconds. */
const TOLD_WITHIN_MS = 40_000;
/** Duration of a fault, milliseconds; half an hour with `FAULT_SHARE_MS=1800000`. */
const LASTS_MS = Number(process.env['FAULT_SHARE_MS'] ?? TOLD_WITHIN_MS);
/** From the return of a share until everything is sent, milliseconds. */
const SENT_WITHIN_MS = 90_000;
/** A share sends no change notifications: the next scan finds new files, milliseconds. */
const FOUND_WITHIN_MS = 120_000;
/** Time for the rest of a test, milliseconds. */
const BESIDES_MS = 60_000;

test.skipIf(noShare !== undefined).for(faults)(
  `$row: a real file system with $name fails nothing, and all is sent after it (${noShare ?? 'FUSE'})`,
  { timeout: 2 * FOUND_WITHIN_MS + LASTS_MS + SENT_WITHIN_MS + BESIDES_MS },
  async ({ row: _row, name, ...fault }, context) => {
    const share = await mountFaultShare(context);
    const bench = await startBench(context, {
      settings: {
        watch: [{ path: join(share.mount, 'exports'), settleSeconds: 3 }],
      },
    });
    async function put(path: string, bytes: number): Promise<void> {
      const target = join(share.source, 'exports', path);
      await mkdir(join(target, '..'), { recursive: true });
      // Not a text file, which is no recording
      await writeFile(join(share.source, 'part'), Buffer.alloc(bytes, 1));
      await rename(join(share.source, 'part'), target);
    }
    await put('Gate 1/first.avi', 20_000);
    await eventually(() => bench.of('clip.uploaded').length === 1, 'the first clip', FOUND_WITHIN_MS);
    await put('Gate 2/a.avi', 30_000);
    await put('Gate 3/b.ts', 6_000_000);
    // A fault can only affect what has been seen: a scan may come after its end
    const isSeen = (folder: string): boolean =>
      bench.of('export.state').some((event) => event.folder === folder && event.state === 'settling');
    await eventually(() => isSeen('Gate 2') && isSeen('Gate 3'), 'the exports', FOUND_WITHIN_MS);
    await share.begin(fault);
    const sleep = new Promise((resolve) => setTimeout(resolve, LASTS_MS));
    const told = (): readonly string[] =>
      [...bench.of('root.offline'), ...bench.of('file.held')].map(({ message }) => message);
    await eventually(() => told().length > 0, 'what is told', TOLD_WITHIN_MS);
    expect(told()[0]).toContain(share.mount);
    await sleep;
    expect(bench.of('clip.failed')).toEqual([]);
    await share.end();
    const returnedMs = performance.now();
    await eventually(() => bench.of('clip.uploaded').length === 3, 'all clips', SENT_WITHIN_MS);
    console.log(
      `${name} for ${LASTS_MS / 1000} s: all sent ${Math.round(performance.now() - returnedMs)} ms after it`,
    );
    expect(bench.of('clip.failed')).toEqual([]);
    expect([...bench.simulator.incidents().values()].flatMap((one) => one.failed_videos)).toEqual([]);
  },
);
