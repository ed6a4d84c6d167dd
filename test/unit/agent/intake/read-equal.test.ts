import { describe, expect, it } from 'vitest';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import { err } from '../../../../shared/lib/result.ts';
import type { FileSeen } from '../../../../electron/agent/core/settle/file-seen.ts';
import type { EqualDeps, Folder, ReadFromDisk } from '../../../../electron/agent/intake/find-equal.ts';
import { readEqual } from '../../../../electron/agent/intake/read-equal.ts';

const going = new AbortController().signal;
const file = { path: 'a.mp4', sizeBytes: 4_000 } as FileSeen;
const ref = { rootId: 'root-1', rootPath: '/exports', exportPath: 'Gate 4', birthMs: 1_000, mtimeMs: 1_000 };

/** What is noted of a file whose hashing fails with this code: one that may be a copy, or any new one. */
async function read(
  list: 'toSum' | 'toHash',
  code: FailureCode,
  retryAfterMs?: number,
): Promise<{ readonly sum: unknown; readonly isChanged: boolean }> {
  const failure = { code, message: '', advice: '', retryable: true, ...(retryAfterMs && { retryAfterMs }) };
  const deps = { fileSum: async () => err(failure) } as unknown as EqualDeps;
  const folder = { snapshot: { ref } } as unknown as Folder;
  const disk: ReadFromDisk = { sums: new Map(), standings: new Map(), changed: new Set() };
  const found = { toSum: [], toHash: [], toFind: [], [list]: [file] } as never;
  await readEqual(deps, folder, found, disk, going);
  return { sum: disk.sums.get(file.path), isChanged: disk.changed.has(file.path) };
}

describe('a file that cannot be hashed when it is taken in', () => {
  it('is left to the watch when it changed', async () => {
    for (const list of ['toSum', 'toHash'] as const)
      for (const code of ['FILE_CHANGED', 'FILE_LINK'] as const)
        expect(await read(list, code)).toEqual({ sum: null, isChanged: true });
  });

  it.each(['FILE_READ', 'FILE_LOCKED', 'ROOT_OFFLINE', 'ROOT_HUNG', 'FILE_GONE'] as const)(
    'and may be a copy makes its export be handed over again: %s',
    async (code) => {
      await expect(read('toSum', code)).rejects.toMatchObject({ failure: { code } });
    },
  );

  it.each([
    ['only a person can mend it', 'FILE_NO_ACCESS', undefined],
    ['it lies in the cloud', 'FILE_OFFLINE', undefined],
    ['all others can be read', 'FILE_READ', 240_000],
  ] as const)('is queued all the same when %s', async (_when, code, retryAfterMs) => {
    expect(await read('toSum', code, retryAfterMs)).toEqual({ sum: null, isChanged: false });
  });

  it('and need not be hashed is queued all the same, unless it may be back unchanged', async () => {
    expect(await read('toHash', 'FILE_READ')).toEqual({ sum: null, isChanged: false });
    await expect(read('toHash', 'FILE_GONE')).rejects.toMatchObject({ failure: { code: 'FILE_GONE' } });
  });
});
