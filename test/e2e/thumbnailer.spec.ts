import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, type ConsoleMessage, type Page } from '@playwright/test';
import type { ThumbnailAnswer } from '../../shared/domain/thumbnail-answer.ts';
// With the fixtures of the other pages, so that their workers are reused for these
import { test as base } from './helpers/desk.ts';
import { startThumbnailHost, type OfferOptions, type ThumbnailHost } from './helpers/thumbnail-host.ts';

const fixture = (path: string): Promise<Buffer> =>
  readFile(fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url)));

interface Shown {
  readonly answer: ThumbnailAnswer;
  readonly readBytes: number;
}

const test = base.extend<{ host: ThumbnailHost }>({
  // oxlint-disable-next-line no-empty-pattern
  host: async ({}, use) => {
    const host = await startThumbnailHost();
    await use(host);
    await host.stop();
  },
  /** Violations of the page's content policy, and errors thrown in the page: must be empty at the end of each test. */
  violations: async ({ page }, use) => {
    const found: string[] = [];
    const onError = (error: Error): void => void found.push(String(error));
    const onMessage = (message: ConsoleMessage): void => {
      if (/Content Security Policy|Trusted/i.test(message.text())) found.push(message.text());
    };
    page.on('pageerror', onError).on('console', onMessage);
    await use(found);
    page.off('pageerror', onError).off('console', onMessage);
    expect(found).toEqual([]);
  },
});

/** Gives the page a clip; returns its answer. */
async function show(
  page: Page,
  host: ThumbnailHost,
  bytes: Uint8Array,
  options?: OfferOptions & { readonly deadlineMs?: number },
): Promise<Shown> {
  const offer = host.offer(bytes, options);
  const deadline = options?.deadlineMs === undefined ? '' : `&deadlineMs=${options.deadlineMs}`;
  await page.goto(`${offer.address}${deadline}`);
  const answer = await offer.answered;
  offer.end();
  return { answer, readBytes: offer.readBytes() };
}

/** The drawn image: its size, and the mean and range of its brightness, by a decoder other than the page's. */
async function lookAt(page: Page, jpeg: Uint8Array) {
  return page.evaluate(async (base64) => {
    const blob = await (await fetch(`data:image/jpeg;base64,${base64}`)).blob();
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] };
    let [least, most] = [255, 0];
    for (let at = 0; at < data.length; at += 4) {
      least = Math.min(least, data[at + 1] ?? 0);
      most = Math.max(most, data[at + 1] ?? 0);
    }
    return { width: bitmap.width, height: bitmap.height, least, most };
  }, Buffer.from(jpeg).toString('base64'));
}

const made = [
  { clip: 'thumbnails/h264.mp4', width: 320, height: 180, atMs: [200, 400], by: 'decoder' },
  { clip: 'thumbnails/vp9.webm', width: 320, height: 180, atMs: [200, 400], by: 'decoder' },
  { clip: 'thumbnails/h264.mpegts', width: 320, height: 180, atMs: [0, 4000], by: 'decoder' },
  { clip: 'thumbnails/mjpeg.avi', width: 320, height: 180, atMs: [0, 0], by: 'aviFrame' },
  { clip: 'thumbnails/wide.mp4', width: 640, height: 360, atMs: [0, 100], by: 'decoder' },
  { clip: 'thumbnails/black-lead-in.mp4', width: 160, height: 90, atMs: [4000, 7000], by: 'decoder' },
  { clip: 'clips/concourse.mkv', width: 640, height: 360, atMs: [400, 600], by: 'decoder' },
  { clip: 'clips/corridor-fragmented.mp4', width: 320, height: 180, atMs: [0, 4000], by: 'decoder' },
] as const;

for (const { clip, width, height, atMs, by } of made)
  test(`a picture comes out of ${clip}`, async ({ page, host, violations }) => {
    void violations;
    const { answer } = await show(page, host, await fixture(clip));
    if (answer.kind !== 'made') throw new Error(`No picture: ${answer.reason}`);
    expect(answer.facts).toMatchObject({ width, height, by });
    expect(answer.facts.atMs).toBeGreaterThanOrEqual(atMs[0]);
    expect(answer.facts.atMs).toBeLessThanOrEqual(atMs[1]);
    expect(answer.jpeg.length).toBeLessThan(200_000);
    await page.goto('about:blank');
    const seen = await lookAt(page, answer.jpeg);
    expect(seen).toMatchObject({ width, height });
    expect(seen.most - seen.least).toBeGreaterThan(100);
  });

test('where there are no decoders to be had, a video element gives the picture', async ({
  page,
  host,
  violations,
}) => {
  void violations;
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'VideoDecoder'));
  // After seeking, an element may still draw the previous frame: which frame after the black is used varies
  for (const [clip, from, to] of [
    ['thumbnails/h264.mp4', 400, 400],
    ['thumbnails/black-lead-in.mp4', 4_000, 7_000],
  ] as const) {
    const { answer } = await show(page, host, await fixture(clip));
    if (answer.kind !== 'made') throw new Error(`No picture: ${answer.reason}`);
    expect(answer.facts.by).toBe('element');
    expect(answer.facts.atMs).toBeGreaterThanOrEqual(from);
    expect(answer.facts.atMs).toBeLessThanOrEqual(to);
  }
});

const none = [
  ['thumbnails/black.mp4', { reason: 'black' }],
  ['thumbnails/sound-only.mp4', { reason: 'noVideo' }],
  ['thumbnails/hevc.mp4', { reason: 'codec', codec: 'hevc' }],
  ['thumbnails/h264.avi', { reason: 'codec' }],
  ['clips/car-park.jpg', { reason: 'format' }],
] as const;

for (const [clip, why] of none)
  test(`there is none of ${clip}, and it says why: ${why.reason}`, async ({ page, host }) => {
    const { answer } = await show(page, host, await fixture(clip));
    expect(answer).toEqual({ kind: 'none', ...why });
  });

test('a clip that is cut off in the middle gives the frames that are there', async ({ page, host }) => {
  const whole = await fixture('thumbnails/h264.mpegts');
  const { answer } = await show(page, host, whole.subarray(0, whole.length / 2));
  expect(answer.kind).toBe('made');
});

test('a clip that lost its index says that it is damaged', async ({ page, host }) => {
  const whole = await fixture('thumbnails/h264.mp4');
  const { answer } = await show(page, host, whole.subarray(0, whole.length / 2));
  expect(answer).toMatchObject({ kind: 'none', reason: 'damaged' });
});

test('a header that states a frame of 65,000 pixels is refused before anything is decoded', async ({
  page,
  host,
}) => {
  const clip = await fixture('thumbnails/h264.mp4');
  // Width and height of the sample entry come 28 bytes after its name
  const entry = clip.indexOf('avc1', clip.indexOf('stsd'));
  clip.writeUInt16BE(65_000, entry + 28);
  clip.writeUInt16BE(65_000, entry + 30);
  const { answer } = await show(page, host, clip);
  expect(answer).toEqual({ kind: 'none', reason: 'size' });
});

test('nothing is read of an empty clip', async ({ page, host }) => {
  const { answer, readBytes } = await show(page, host, new Uint8Array(0));
  expect([answer, readBytes]).toEqual([{ kind: 'none', reason: 'read' }, 0]);
});

test('a clip of 200 GB of noise costs 64 MiB at the most', async ({ page, host }) => {
  const { answer, readBytes } = await show(page, host, Buffer.alloc(64, 'ftypisom'), { sizeBytes: 200e9 });
  expect(answer.kind).toBe('none');
  expect(readBytes).toBeLessThanOrEqual(64 * 1024 * 1024);
});

test('a clip that is not handed out in time ends at the deadline', async ({ page, host }) => {
  const never = new Promise<never>(() => undefined);
  const offer = show(page, host, await fixture('thumbnails/h264.mp4'), {
    deadlineMs: 400,
    onRead: () => never,
  });
  expect((await offer).answer).toEqual({ kind: 'none', reason: 'deadline' });
});

test('a clip that can no longer be read tells whoever asked why', async ({ page, host }) => {
  const gone = show(page, host, await fixture('thumbnails/h264.mp4'), {
    onRead() {
      throw new Error('the share is away');
    },
  });
  await expect(gone).rejects.toThrow('the share is away');
});

test('the clip of one offer is not there for the next', async ({ page, host }) => {
  const first = host.offer(await fixture('thumbnails/black.mp4'));
  const second = host.offer(await fixture('thumbnails/h264.mp4'));
  await page.goto(`${host.origin}/index.html`);
  const clipOf = ({ address }: { readonly address: string }) => new URL(address).searchParams.get('clip');
  const ask = (path: string | null, range: string) =>
    page.evaluate(
      async ([address, value]) => (await fetch(address ?? '', { headers: { range: value ?? '' } })).status,
      [path, range] as const,
    );
  expect(await ask(clipOf(first), 'bytes=0-9')).toBe(404);
  expect(await ask(clipOf(second), 'bytes=0-9')).toBe(206);
  expect(await ask(clipOf(second), 'bytes=99999999-')).toBe(416);
  second.end();
  expect(await ask(clipOf(second), 'bytes=0-9')).toBe(404);
});
