import { chmod, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../../shared/domain/failure.ts';
import type { Result } from '../../../../shared/lib/result.ts';
import type { InspectedExport } from '../../../../electron/agent/files/inspect-export.ts';
import { scanRoot, type RootScan, type ScanRequest } from '../../../../electron/agent/watch/scan-root.ts';
import { createGateInHand } from '../../../helpers/gate-in-hand.ts';
import { scanUnderPermissions } from '../../../helpers/under-permissions.ts';
import { realClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';

let desk: WatchDesk;
beforeEach(async () => {
  desk = await realClockDesk();
});
afterEach(() => desk.close());

interface Seen {
  readonly answer: Result<RootScan, Failure>;
  readonly looks: ReadonlyMap<string, InspectedExport>;
  readonly unchanged: readonly string[];
}

async function scan(overrides: Partial<ScanRequest> = {}): Promise<Seen> {
  const looks = new Map<string, InspectedExport>();
  const unchanged: string[] = [];
  const answer = await scanRoot({
    gate: desk.gate,
    rootId: 'root-1',
    rootPath: desk.root,
    memory: { identity: undefined, exports: new Map() },
    now: Date.now,
    onExport: async (one) => {
      if (one.kind === 'seen') looks.set(one.seen.ref.exportPath, one.seen);
      if (one.kind === 'unchanged') unchanged.push(one.exportPath);
    },
    ...overrides,
  });
  return { answer, looks, unchanged };
}

const codeOf = (answer: Result<unknown, Failure>): string => (answer.ok ? 'ok' : answer.error.code);

describe('standing of a root', () => {
  it.skipIf(process.platform === 'win32')('says when the root may not be listed', async () => {
    await chmod(desk.root, 0o000);
    const { code } = scanUnderPermissions(desk.root);
    await chmod(desk.root, 0o755);
    expect(code).toBe('ROOT_OFFLINE');
  });

  it('says why a root cannot be scanned', async () => {
    const identity = { device: '1', inode: '1' };
    expect(codeOf((await scan({ rootPath: join(desk.base, 'none') })).answer)).toBe('ROOT_MISSING');
    const vanished = { rootPath: join(desk.base, 'none'), memory: { identity, exports: new Map() } };
    expect(codeOf((await scan(vanished)).answer)).toBe('ROOT_OFFLINE');
    await writeFile(join(desk.base, 'file'), '');
    expect(codeOf((await scan({ rootPath: join(desk.base, 'file') })).answer)).toBe('ROOT_NOT_FOLDER');
    await symlink(desk.root, join(desk.base, 'link'));
    expect(codeOf((await scan({ rootPath: join(desk.base, 'link') })).answer)).toBe('ROOT_LINK');
  });

  it('says that an empty root is empty', async () => {
    const { answer } = await scan();
    expect(answer.ok && answer.value.rootState).toBe('empty');
    await desk.write('loose.mp4');
    const filled = await scan();
    expect(filled.answer.ok && filled.answer.value.rootState).toBe('filled');
  });

  it('input B9: answers offline when the root went away in the middle', async () => {
    await desk.write('A/a.mp4');
    await desk.write('B/b.mp4');
    let isFirst = true;
    const { answer } = await scan({
      onExport: async () => {
        if (isFirst) await rename(desk.root, `${desk.root}-away`);
        isFirst = false;
      },
    });
    expect(codeOf(answer)).toBe('ROOT_MISSING');
    expect(answer.ok).toBe(false);
  });

  it('pauses when another disk stands at the same place, and not when the same one was remounted', async () => {
    await desk.write('A/a.mp4');
    await desk.write('B/b.mp4');
    const first = await scan();
    if (!first.answer.ok) throw new Error('the first scan failed');
    const { inode } = first.answer.value.identity;
    const otherDevice = { device: 'another', inode };
    const exportsOf = (shift: number) =>
      new Map(
        [...first.looks].map(([name, look]) => [
          name,
          { inode: look.inode, birthMs: look.ref.birthMs + shift },
        ]),
      );
    const remounted = await scan({ memory: { identity: otherDevice, exports: exportsOf(0) } });
    expect(remounted.answer.ok && remounted.answer.value.standing).toBe('remounted');
    const other = await scan({ memory: { identity: otherDevice, exports: exportsOf(1) } });
    expect(other.answer).toMatchObject({ ok: false, error: { code: 'ROOT_OFFLINE' } });
    expect(!other.answer.ok && other.answer.error.message).toContain('A different disk');
    expect(other.looks.size).toBe(0);
  });

  it('answers ROOT_HUNG at once while an operation of the root hangs', async () => {
    const gate = createGateInHand(desk.root);
    const end = await gate.hang();
    expect(codeOf((await scan({ gate })).answer)).toBe('ROOT_HUNG');
    end();
    await expect.poll(async () => codeOf((await scan({ gate })).answer)).toBe('ok');
    gate.close();
  });
});
