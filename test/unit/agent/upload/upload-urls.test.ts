import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createServiceClock } from '../../../../electron/agent/service/service-clock.ts';
import { createUploadUrls, type UploadUrls } from '../../../../electron/agent/upload/upload-urls.ts';
import type { WireUploadRequest } from '../../../../shared/service/incident.ts';
import { openRecordDesk, type RecordDesk } from '../../../helpers/record-desk.ts';

const going = new AbortController().signal;
const LIFETIME_S = 7_200;

let desk: RecordDesk;
let urls: UploadUrls;

beforeEach(async () => {
  desk = await openRecordDesk();
  const serviceClock = createServiceClock(desk.clock, desk.events);
  urls = createUploadUrls(desk.api, serviceClock, { allowLoopback: false, hosts: [] });
});
afterEach(() => desk.close());

const stamp = () => new Date(desk.clock.now()).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
const signed = (name: string, host = 'storage.example.com', lifetimeS = LIFETIME_S) =>
  `https://${host}/${name}?X-Amz-Date=${stamp()}&X-Amz-Expires=${lifetimeS}&X-Amz-Signature=abc`;
const answer = (uploads: object, more = {}) => {
  desk.answer = () => [200, { incident_id: 'incident-1', max_upload_size_mb: -1, uploads, ...more }];
};
const single: WireUploadRequest = { filename: 'a.mp4' };
const parts: WireUploadRequest = { part_count: 2, storage_key: 'key', upload_id: 'u' };
const ask = async (files: Record<string, WireUploadRequest>, pinned?: string) => {
  const result = await urls.ask('incident-1', files, pinned, going);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};

describe('createUploadUrls', () => {
  it('asks for all files in one call, and grants each its own', async () => {
    answer({
      a: { storage_key: 'key-a', signed_urls: signed('a') },
      b: { storage_key: 'key', signed_urls: [signed('b1'), signed('b2')] },
    });
    const grants = await ask({ a: single, b: parts });
    expect(desk.lastBody()).toEqual({ files: { a: single, b: parts } });
    expect(grants.get('a')).toMatchObject({
      ok: true,
      value: { storageKey: 'key-a', maxSizeBytes: undefined },
    });
    const b = grants.get('b');
    expect(b?.ok === true ? b.value.urls.map(({ url }) => url.pathname) : []).toEqual(['/b1', '/b2']);
  });

  it.each([
    [-1, undefined],
    [0, undefined],
    [null, undefined],
    [undefined, undefined],
    [50, 50_000_000],
    [0.5, 500_000],
    [JSON.rawJSON('9223372036854775807'), 2 ** 63 * 1_000_000],
  ])('takes a max_upload_size_mb of %s for %s bytes', async (limitMb, bytes) => {
    answer({ a: { storage_key: 'k', signed_urls: signed('a') } }, { max_upload_size_mb: limitMb });
    expect((await ask({ a: single })).get('a')).toMatchObject({ value: { maxSizeBytes: bytes } });
  });

  it.each([[JSON.rawJSON('12345678901234567890')], [true], [{ id: 'incident-1' }]])(
    'does not need the id of the incident, which may be %j',
    async (incident_id) => {
      answer({ a: { storage_key: 'k', signed_urls: signed('a') } }, { incident_id });
      expect((await ask({ a: single })).get('a')).toMatchObject({ ok: true });
    },
  );

  it.each([
    ['a long life, until a minute before its end', LIFETIME_S, LIFETIME_S - 60],
    ['a life of four minutes, until a minute before its end', 240, 180],
    ['a short life, for three quarters of it', 60, 45],
  ])('uses a URL with %s', async (_what, lifetimeS, usableS) => {
    answer({ a: { storage_key: 'k', signed_urls: signed('a', undefined, lifetimeS) } });
    const grant = (await ask({ a: single })).get('a');
    const useUntilMs = grant?.ok === true ? (grant.value.urls[0]?.useUntilMs ?? 0) : 0;
    expect(useUntilMs - desk.clock.now()).toBe(usableS * 1000);
  });

  it('does not use a URL at all that came after its end', async () => {
    const late = signed('a', undefined, 60);
    await desk.clock.advance(600_000);
    answer({ a: { storage_key: 'k', signed_urls: late } });
    const grant = (await ask({ a: single })).get('a');
    expect(grant?.ok === true ? grant.value.urls[0]?.useUntilMs : NaN).toBeLessThan(desk.clock.now());
  });

  it.each([
    ['is not mentioned', () => ({}), single, 'API_SHAPE'],
    [
      'has too few URLs',
      () => ({ a: { storage_key: 'key', signed_urls: [signed('1')] } }),
      parts,
      'API_PARTS',
    ],
    [
      'has too many URLs',
      () => ({ a: { storage_key: 'key', signed_urls: ['1', '2', '3'].map((n) => signed(n)) } }),
      parts,
      'API_PARTS',
    ],
    [
      'has one URL for all parts',
      () => ({ a: { storage_key: 'key', signed_urls: signed('1') } }),
      parts,
      'API_PARTS',
    ],
    [
      'has a list for one piece',
      () => ({ a: { storage_key: 'key', signed_urls: [signed('1')] } }),
      single,
      'API_PARTS',
    ],
    [
      'has another storage key',
      () => ({ a: { storage_key: 'other', signed_urls: [signed('1'), signed('2')] } }),
      parts,
      'API_SHAPE',
    ],
    [
      'has a URL without TLS',
      () => ({ a: { storage_key: 'k', signed_urls: signed('a').replace('https', 'http') } }),
      single,
      'URL_REFUSED',
    ],
    [
      'has a URL of this machine',
      () => ({ a: { storage_key: 'k', signed_urls: signed('a', '127.0.0.1') } }),
      single,
      'URL_REFUSED',
    ],
    [
      'has parts on two hosts',
      () => ({ a: { storage_key: 'key', signed_urls: [signed('1'), signed('2', 'other.example.com')] } }),
      parts,
      'URL_REFUSED',
    ],
  ])('has a failure of its own for a file that %s', async (_what, uploads, request, code) => {
    answer({ ...uploads(), good: { storage_key: 'k', signed_urls: signed('good') } });
    const grants = await ask({ a: request, good: single });
    expect(grants.get('a')).toMatchObject({ ok: false, error: { code } });
    expect(grants.get('good')).toMatchObject({ ok: true });
    expect(JSON.stringify(grants.get('a'))).not.toContain('abc');
  });

  it('refuses URLs that lead away from the host of the parts before', async () => {
    answer({ a: { storage_key: 'key', signed_urls: [signed('1'), signed('2')] } });
    expect((await ask({ a: parts }, 'first.example.com')).get('a')).toMatchObject({
      error: { code: 'URL_REFUSED' },
    });
  });

  it.each([
    ['the parts of a file', { a: { ...parts, part_count: 1_600 } }],
    [
      'many files',
      Object.fromEntries(Array.from({ length: 1_600 }, (_unused, index) => [`${index}`, single])),
    ],
  ])('leaves the event loop to others while it checks the URLs of %s', async (_what, files) => {
    const text = signed('a');
    const granted = (request: WireUploadRequest) =>
      'part_count' in request ? Array.from({ length: request.part_count }, () => text) : text;
    const upload = (request: WireUploadRequest) => ({ storage_key: 'key', signed_urls: granted(request) });
    answer(Object.fromEntries(Object.entries(files).map(([id, request]) => [id, upload(request)])));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    onTestFinished(() => clearInterval(counting));
    const { getUploadUrls } = desk.api;
    let before = 0;
    const api = {
      ...desk.api,
      async getUploadUrls(...call: Parameters<typeof getUploadUrls>) {
        const answered = await getUploadUrls(...call);
        before = turns;
        return answered;
      },
    };
    const serviceClock = createServiceClock(desk.clock, desk.events);
    const { ask: askNow } = createUploadUrls(api, serviceClock, { allowLoopback: false, hosts: [] });
    expect(await askNow('incident-1', files, undefined, going)).toMatchObject({ ok: true });
    expect(turns - before).toBeGreaterThan(5);
  });

  it('answers the failure of the call', async () => {
    desk.answer = () => [503, {}];
    expect(await urls.ask('incident-1', { a: single }, undefined, going)).toMatchObject({
      ok: false,
      error: { code: 'SERVICE_FAULT' },
    });
  });
});
