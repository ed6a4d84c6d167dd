import { afterEach, beforeEach, expect, it } from 'vitest';
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

/** The kept grants of a desk with this key. */
function keptBy(apiKey: string) {
  const serviceClock = createServiceClock(desk.clock, desk.events);
  const uploadUrls = createUploadUrls(desk.api, serviceClock, { allowLoopback: false, hosts: [] });
  const { tables } = desk;
  const secrets = { apiKey: async () => apiKey };
  return createKeptGrants({ tables, secrets, uploadUrls, serviceClock });
}

async function keep(sizeBytes: number, maxSizeBytes: number | undefined) {
  const url = new URL('https://storage.example.com/a?X-Amz-Signature=abc');
  const urls = [{ url, useUntilMs: desk.clock.now() + 60_000 }];
  const kept = keptBy('key 1');
  await kept.keep([{ ...versionOf(sizeBytes), grant: { storageKey: 'a', urls, maxSizeBytes } }]);
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

it('are asked for anew where the file is larger than their limit', async () => {
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
