import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createServiceClock } from '../../../../electron/agent/service/service-clock.ts';
import { createKeptGrants } from '../../../../electron/agent/upload/kept-grants.ts';
import { createUploadUrls } from '../../../../electron/agent/upload/upload-urls.ts';
import { openRecordDesk, type RecordDesk } from '../../../helpers/record-desk.ts';

let desk: RecordDesk;
beforeEach(async () => {
  desk = await openRecordDesk();
});
afterEach(() => desk.close());

const versionOf = (sizeBytes: number) => ({ fileId: 'clip-1', version: { sizeBytes, mtimeNs: '1' } });

type KeptTables = Parameters<typeof createKeptGrants>[0]['tables'];

/** The kept grants of a desk with this key. */
function keptBy(apiKey: string, tables: KeptTables = desk.tables) {
  const serviceClock = createServiceClock(desk.clock, desk.events);
  const uploadUrls = createUploadUrls(desk.api, serviceClock, { allowLoopback: false, hosts: [] });
  const secrets = { apiKey: async () => apiKey };
  return createKeptGrants({ tables, secrets, uploadUrls, serviceClock });
}

const signedUrl = () => ({
  url: new URL('https://storage.example.com/a?X-Amz-Signature=abc'),
  useUntilMs: desk.clock.now() + 60_000,
});

async function keep(sizeBytes: number, maxSizeBytes: number | undefined) {
  const kept = keptBy('key 1');
  const grant = { storageKey: 'a', urls: [signedUrl()], maxSizeBytes };
  await kept.keep([{ ...versionOf(sizeBytes), grant }]);
  return kept;
}

it('are found again for the same version of the file, with the limit, until their URL lapses', async () => {
  const kept = await keep(4_000, 4_000);
  expect((await kept.of([versionOf(4_000)])).get('clip-1')).toMatchObject({
    storageKey: 'a',
    maxSizeBytes: 4_000,
  });
  expect((await kept.of([versionOf(3_999)])).size).toBe(0);
  expect((await keptBy('key 2').of([versionOf(4_000)])).size).toBe(0);
  await desk.clock.advance(60_000);
  expect((await kept.of([versionOf(4_000)])).size).toBe(0);
});

it('are not called kept before they are on the disk', async () => {
  const disk = Promise.withResolvers<void>();
  const synced = vi.fn<() => Promise<void>>(() => disk.promise);
  const grant = { storageKey: 'a', urls: [signedUrl()], maxSizeBytes: undefined };
  let isKept = false;
  const keeping = keptBy('key 1', { ...desk.tables, synced })
    .keep([{ ...versionOf(4_000), grant }])
    .then(() => (isKept = true));
  await vi.waitFor(() => expect(synced).toHaveBeenCalled());
  expect((await keptBy('key 1').of([versionOf(4_000)])).size).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isKept).toBe(false);
  disk.resolve();
  await keeping;
});

it('are asked for again where the file is larger than their limit', async () => {
  const kept = await keep(4_001, 4_000);
  expect((await kept.of([versionOf(4_001)])).size).toBe(0);
});

it('go to the next version of a file too, unless that is larger than their limit', async () => {
  const kept = await keep(3_000, 4_000);
  desk.tables.write(() => kept.reuse(versionOf(3_000)));
  expect((await kept.of([versionOf(4_000)])).size).toBe(1);
  expect((await kept.of([versionOf(4_001)])).size).toBe(0);
});

it('have no limit where the service has none', async () => {
  const kept = await keep(3_000, undefined);
  expect((await kept.of([versionOf(3_000)])).get('clip-1')).toMatchObject({ maxSizeBytes: undefined });
});
