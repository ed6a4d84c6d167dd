import { expect, it } from 'vitest';
import { serviceFileName } from '../../../../../electron/agent/core/records/derived-ids.ts';

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

it.each([
  ['Gate 4 North_2026_05_01_19_30_05.mkv', 'Gate_4_North_2026_05_01_19_30_05-0f8fad5b.mkv'],
  ['sub/folder/clip.MP4', 'clip-0f8fad5b.mp4'],
  ['Zürich Tör.mp4', 'Zurich_Tor-0f8fad5b.mp4'],
  ['日本.mp4', 'clip-0f8fad5b.mp4'],
  ['..\\..\\evil.mp4', 'evil-0f8fad5b.mp4'],
  ['a%2e%2e%2fb.mp4', 'a_2e_2e_2fb-0f8fad5b.mp4'],
  ['<img src=x onerror=y>.mp4', 'img_src_x_onerror_y-0f8fad5b.mp4'],
  ['-rf.mp4', '-rf-0f8fad5b.mp4'],
  ['a\nb\u202ec.mp4', 'a_b_c-0f8fad5b.mp4'],
  ['x.mp4.', 'x-0f8fad5b.mp4'],
  ['sp .mp4 ', 'sp-0f8fad5b.mp4'],
  ['CON.mp4', 'CON-0f8fad5b.mp4'],
  ['store.xyz', 'store-0f8fad5b.bin'],
  ['noextension', 'noextension-0f8fad5b.bin'],
  ['.mp4', 'mp4-0f8fad5b.bin'],
  [`${'a'.repeat(250)}.jpg`, `${'a'.repeat(64)}-0f8fad5b.jpg`],
])('checklist 40: sends %j as %s', (original, expected) => {
  const name = serviceFileName(original, id);
  expect(name).toBe(expected);
  expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}-[0-9a-f]{8}\.[a-z0-9]+$/);
});
