import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendParts, type ClipBytes } from '../../../../electron/agent/upload/send-parts.ts';
import type { MultipartRow } from '../../../../electron/agent/store/multipart-rows.ts';
import {
  clipRow,
  incidentRow,
  multipartRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';
import { err, ok } from '../../../../shared/lib/result.ts';

type Deps = Parameters<typeof sendParts>[0];
type File = Parameters<typeof sendParts>[1];

let queue: QueueFixture;
let upload: MultipartRow;
let file: File;
let ended: number[];
let isEnding: () => boolean;
/** Called when it is time to store progress. */
let due: (() => void) | undefined;

beforeEach(async () => {
  queue = await openQueue();
  const { tables } = queue;
  tables.incidents.insert(incidentRow());
  tables.clips.insert(clipRow());
  tables.multiparts.insert(multipartRow());
  const stored = tables.multiparts.byClip('clip-1');
  const clip = tables.clips.byId('clip-1');
  if (stored === undefined || clip === undefined) throw new Error('The clip is not there');
  upload = stored;
  ended = [];
  isEnding = () => false;
  due = undefined;
  const bytes: ClipBytes = {
    fromStart: 1,
    begin: (number) => ({ content: Promise.resolve(ok({})), end: () => void ended.push(number) }),
    prove: async () => undefined,
    digest: async () => ok('whole'),
    close: () => undefined,
  };
  const urls = {
    urlFor: async () => ok(new URL('http://storage.test/k')),
    refuse: () => undefined,
    host: () => 'storage.test',
    maxSizeBytes: () => undefined,
  };
  file = { clip, upload, urls, bytes, rows: [], evidence: {}, hashPool: {} } as unknown as File;
});
afterEach(() => queue.close());

const depsWith = (commit: Deps['groupCommit']['commit']): Deps =>
  ({
    tables: queue.tables,
    groupCommit: { commit },
    circuits: { mayCall: () => true, succeeded: () => undefined },
    clock: {
      now: () => 4_000,
      after(_delayMs: number, work: () => void) {
        due = work;
        return () => void (due = undefined);
      },
    },
    sendRange: async () => ({ kind: 'stored', etag: '"e"', sha256: 's' }),
    meter: { acknowledged: () => undefined },
    rules: { concurrentParts: 2 },
    isEnding: () => isEnding(),
  }) as unknown as Deps;

const send = (commit: Deps['groupCommit']['commit']) =>
  sendParts(depsWith(commit), file, new AbortController().signal);

describe('sending parts', () => {
  it('stores each part that storage has, and lets go of its bytes', async () => {
    expect(await send(async (work) => queue.tables.write(work))).toEqual({ kind: 'all-sent' });
    expect(queue.tables.parts.ofClip('clip-1').map(({ number, sha256 }) => [number, sha256])).toEqual([
      [1, 's'],
      [2, 's'],
      [3, 's'],
    ]);
    expect(ended.toSorted()).toEqual([1, 2, 3]);
  });

  it('stores those together that were acknowledged by the time, while others are still on the line', async () => {
    const committed: number[] = [];
    const commit = async (work: () => void) => {
      queue.tables.write(work);
      committed.push(queue.tables.parts.ofClip('clip-1').length);
    };
    const sendRange = depsWith(commit).sendRange;
    const held = Promise.withResolvers<void>();
    let count = 0;
    const last = async (...given: Parameters<typeof sendRange>) => {
      count += 1;
      if (count === 3) await held.promise;
      return sendRange(...given);
    };
    const sent = sendParts({ ...depsWith(commit), sendRange: last }, file, new AbortController().signal);
    await vi.waitFor(() => expect(ended.toSorted()).toEqual([1, 2]));
    expect(committed).toEqual([]);
    due?.();
    expect(committed).toEqual([2]);
    held.resolve();
    expect(await sent).toEqual({ kind: 'all-sent' });
    expect(committed).toEqual([2, 3]);
  });

  it.each([
    ['no upload', () => undefined],
    ['another upload', () => queue.tables.multiparts.insert(multipartRow({ uploadId: 'upload-2' }))],
  ])('stores nothing of a part when %s took the place of its own meanwhile', async (_what, replace) => {
    let isReplaced = false;
    const sent = send(async (work) =>
      queue.tables.write(() => {
        if (!isReplaced) {
          queue.tables.multiparts.remove('clip-1');
          replace();
          isReplaced = true;
        }
        work();
      }),
    );
    expect(await sent).toEqual({ kind: 'all-sent' });
    expect(queue.tables.parts.ofClip('clip-1')).toEqual([]);
  });

  it('requests the URLs while the first parts are read, and once', async () => {
    const read = Promise.withResolvers<void>();
    const begun = file.bytes.begin;
    const bytes: ClipBytes = {
      ...file.bytes,
      begin: (...given) => ({ ...begun(...given), content: read.promise.then(() => ok({})) }),
    };
    const failure = { code: 'API_PARTS', message: 'm', advice: 'a', retryable: true } as const;
    const urlFor = vi.fn<File['urls']['urlFor']>(async () => err(failure));
    const slow = { ...file, bytes, urls: { ...file.urls, urlFor } };
    const deps = depsWith(async (work) => queue.tables.write(work));
    const sent = sendParts(deps, slow, new AbortController().signal);
    expect(urlFor.mock.calls.map(([number]) => number)).toEqual([1, 2]);
    read.resolve();
    expect(await sent).toMatchObject({ kind: 'stop', outcome: { step: 'urls', failure } });
    expect(urlFor).toHaveBeenCalledTimes(2);
  });

  it('requests no URLs that may not be requested now', async () => {
    const urlFor = vi.fn<File['urls']['urlFor']>(file.urls.urlFor);
    const deps = depsWith(async (work) => queue.tables.write(work));
    const closed = { ...deps, circuits: { ...deps.circuits, mayCall: () => false } };
    const sent = await sendParts(
      closed,
      { ...file, urls: { ...file.urls, urlFor } },
      new AbortController().signal,
    );
    expect(sent).toMatchObject({ kind: 'stop' });
    expect(urlFor).not.toHaveBeenCalled();
  });

  it('begins nothing more once the program is about to end', async () => {
    isEnding = () => ended.length > 0;
    expect(await send(async (work) => queue.tables.write(work))).toEqual({
      kind: 'stop',
      outcome: { kind: 'interrupted' },
    });
    expect(queue.tables.parts.ofClip('clip-1').length).toBeLessThan(3);
    expect(ended.toSorted()).toEqual([1, 2, 3].slice(0, ended.length));
  });
});
