import { describe, expect, it } from 'vitest';
import { ok } from '../../../../shared/lib/result.ts';
import { createEtagCache } from '../../../../electron/agent/upload/etag-cache.ts';
import { handOver, type HandOverDeps } from '../../../../electron/agent/upload/hand-over.ts';
import type { SmallFile, Grant } from '../../../../electron/agent/upload/small-files.ts';
import type { FileToSend } from '../../../../electron/agent/upload/send-worker.ts';

const signal = new AbortController().signal;
const problem = { code: 'ROOT_OFFLINE', message: '', advice: '', retryable: true } as const;

/** So many clips of 100 KB in this root, each with its URL. */
function grantsFor(count: number, changes: Partial<SmallFile> = {}): Map<SmallFile, Grant> {
  const url = new URL('https://storage.example.com/key');
  return new Map(
    Array.from({ length: count }, (_unused, index) => {
      const file = {
        job: { subject: `clip-${index}` },
        rootPath: '/root',
        folder: 'Ramp',
        path: `${index}.avi`,
        version: { sizeBytes: 100_000, mtimeNs: '1', inode: '1', device: '1' },
        ...changes,
      } as SmallFile;
      return [file, ok({ storageKey: 'key', urls: [{ url, useUntilMs: 0 }], maxSizeBytes: 150_000 })];
    }),
  );
}

/** What is handed over of these files, by their roots. */
function handed(grants: Map<SmallFile, Grant>, changes: Partial<HandOverDeps> = {}): readonly string[] {
  const batches: string[] = [];
  const deps = {
    circuits: { mayCall: () => true },
    isEnding: () => false,
    etags: createEtagCache(),
    gates: { of: () => ({ problem: () => undefined }) },
    isDirect: () => true,
    senders: {
      canSend: () => true,
      send(rootPath: string, files: readonly FileToSend[]) {
        batches.push(`${rootPath}: ${files.length}, ${files[0]?.path} to ${files[0]?.url}`);
        return files.map(() => Promise.resolve({ kind: 'left' as const }));
      },
    },
    ...changes,
  } as unknown as HandOverDeps;
  const answer = handOver(deps, grants, 4, signal);
  const files = [...grants.keys()].filter((file) => answer.has(file)).length;
  return files === 0 && batches.length === 0 ? [] : [...batches, `${files} files`];
}

describe('files of a batch', () => {
  it('go to the thread of their root in one message', () => {
    expect(handed(grantsFor(50))).toEqual([
      '/root: 50, /root/Ramp/0.avi to https://storage.example.com/key',
      '50 files',
    ]);
  });

  it('go by roots, and those of a root with a few stay here', () => {
    const grants = new Map([...grantsFor(9), ...grantsFor(3, { rootPath: '/thumbnails' })]);
    expect(handed(grants)).toEqual([expect.stringContaining('/root: 9'), '9 files']);
  });

  it.each([
    ['there are few of them', grantsFor(7), {}],
    ['they are too large to be read whole', grantsFor(50, { version: { sizeBytes: 300_000 } as never }), {}],
    ['the service takes only smaller ones', grantsFor(50, { version: { sizeBytes: 150_001 } as never }), {}],
    ['they are empty', grantsFor(50, { version: { sizeBytes: 0 } as never }), {}],
    ['a proxy or a limit stands in between', grantsFor(50), { isDirect: () => false }],
    ['storage takes nothing now', grantsFor(50), { circuits: { mayCall: () => false } }],
    ['the program is about to end', grantsFor(50), { isEnding: () => true }],
    ['their root is away', grantsFor(50), { gates: { of: () => ({ problem: () => problem }) } as never }],
    ['the thread of their root hangs', grantsFor(50), { senders: { canSend: () => false } as never }],
  ])('stay here while %s', (_why, grants, changes) => {
    expect(handed(grants, changes)).toEqual([]);
  });
});
