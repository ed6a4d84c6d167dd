import { readFile } from 'node:fs/promises';
import type { ThumbnailMaker } from '../../electron/agent/index.ts';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows } from './helpers/uploads-list.ts';

const made: ThumbnailMaker = {
  make: async () => ({
    kind: 'made',
    jpeg: Uint8Array.from(await readFile('test/fixtures/clips/car-park.jpg')),
    facts: { width: 640, height: 360, atMs: 3_040, by: 'decoder' },
  }),
};
const none: ThumbnailMaker = { make: async () => ({ kind: 'none', reason: 'codec', codec: 'hevc' }) };

test.describe('where the host makes pictures', () => {
  test.use({ deskOptions: { thumbnails: made } });

  test('an operator sees the picture of a clip, and that it was made', async ({ desk }) => {
    const { page } = desk;
    await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
    await desk.open('/uploads?open=true');
    await clipRows(page).getByText('cam1.mp4').click();
    const figure = page.getByRole('figure').filter({ hasText: 'clip at' });
    await expect(figure).toContainText('Frame from the clip at 0:03');
    await expect(figure.getByRole('img')).toHaveJSProperty('naturalWidth', 640);
    await expectNoAxeFindings(page);
  });
});

test.describe('where the PC cannot decode a clip', () => {
  test.use({ deskOptions: { thumbnails: none } });

  test(
    'an operator reads why it has no picture, while the clip is sent',
    { tag: '@long' },
    async ({ desk }) => {
      const { page } = desk;
      await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
      await desk.open('/uploads?open=true');
      await clipRows(page).getByText('cam1.mp4').click();
      await expect(page.getByRole('figure').filter({ hasText: 'thumbnail' })).toContainText(
        'No thumbnail: H.265 cannot be decoded on this PC.',
      );
      await expect(clipRows(page)).toContainText('Sent');
      await expectNoAxeFindings(page);
    },
  );
});
