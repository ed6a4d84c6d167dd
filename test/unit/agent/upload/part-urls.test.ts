import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServiceClock } from '../../../../electron/agent/service/service-clock.ts';
import {
  createPartUrls,
  createUploadUrls,
  type UploadUrls,
} from '../../../../electron/agent/upload/upload-urls.ts';
import { failureOf, multipartRow } from '../../../helpers/queue-fixture.ts';
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

function signed(name: string, host = 'storage.example.com'): string {
  const stamp = new Date(desk.clock.now()).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  return `https://${host}/${name}?X-Amz-Date=${stamp}&X-Amz-Expires=${LIFETIME_S}&X-Amz-Signature=abc`;
}

describe('createPartUrls', () => {
  const upload = { ...multipartRow({ partCount: 3, storageKey: 'key' }), completing: 0 };
  const partUrls = () =>
    createPartUrls(
      {
        uploadUrls: urls,
        serviceClock: createServiceClock(desk.clock, desk.events),
        circuits: desk.circuits,
      },
      'incident-1',
      upload,
    );
  /** Makes each answer have URLs of its own. */
  const grantAgain = (host?: string) => {
    let round = 0;
    desk.answer = () => {
      round += 1;
      const signedUrls = [1, 2, 3].map((part) => signed(`${round}-${part}`, host));
      return [
        200,
        { max_upload_size_mb: 50, uploads: { 'clip-1': { storage_key: 'key', signed_urls: signedUrls } } },
      ];
    };
  };
  const pathOf = async (made: ReturnType<typeof partUrls>, part: number) => {
    const url = await made.urlFor(part, going);
    return url.ok ? url.value.pathname : url.error.code;
  };
  beforeEach(() => grantAgain());

  it('asks once for all parts, also when they ask at the same time', async () => {
    const made = partUrls();
    expect(made.maxSizeBytes()).toBeUndefined();
    expect(await Promise.all([1, 2, 3, 1].map((part) => pathOf(made, part)))).toEqual([
      '/1-1',
      '/1-2',
      '/1-3',
      '/1-1',
    ]);
    expect(desk.server.requests).toHaveLength(1);
    expect([made.maxSizeBytes(), made.host()]).toEqual([50_000_000, 'storage.example.com']);
  });

  it('checklist 34: asks again before the URLs lapse', async () => {
    const made = partUrls();
    await pathOf(made, 1);
    await desk.clock.advance((LIFETIME_S - 61) * 1000);
    expect(await pathOf(made, 2)).toBe('/1-2');
    await desk.clock.advance(1_000);
    expect(await pathOf(made, 2)).toBe('/2-2');
  });

  it('asks again for a URL that storage refused, and uses the others meanwhile', async () => {
    const made = partUrls();
    const first = await made.urlFor(1, going);
    if (!first.ok) throw new Error('no URL');
    made.refuse(first.value);
    expect(await pathOf(made, 2)).toBe('/1-2');
    expect(await pathOf(made, 1)).toBe('/2-1');
    expect(await pathOf(made, 2)).toBe('/2-2');
    expect(desk.server.requests).toHaveLength(2);
  });

  it('checklist 27: stays with the host of the first URLs', async () => {
    const made = partUrls();
    const first = await made.urlFor(1, going);
    if (first.ok) made.refuse(first.value);
    grantAgain('elsewhere.example.com');
    expect(await pathOf(made, 1)).toBe('URL_REFUSED');
  });

  it('asks again after a failure, which everyone who waited is told', async () => {
    const made = partUrls();
    desk.answer = () => [503, {}];
    expect(await Promise.all([1, 2].map((part) => pathOf(made, part)))).toEqual([
      'SERVICE_FAULT',
      'SERVICE_FAULT',
    ]);
    grantAgain();
    expect(await pathOf(made, 1)).toBe('/1-1');
    expect(desk.server.requests).toHaveLength(2);
  });

  it('opens the circuit of the service with an answer, not with URLs that are at hand', async () => {
    const made = partUrls();
    await pathOf(made, 1);
    desk.circuits.pause('service', failureOf('NETWORK'));
    await pathOf(made, 2);
    expect(desk.circuits.pauses()).toHaveLength(1);
    await desk.clock.advance(LIFETIME_S * 1000);
    await pathOf(made, 2);
    expect(desk.circuits.pauses()).toEqual([]);
  });

  it('has no URL for a part that the upload does not have', async () => {
    expect(await pathOf(partUrls(), 4)).toBe('API_PARTS');
  });
});
