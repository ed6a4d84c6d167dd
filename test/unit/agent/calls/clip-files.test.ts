import { readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readThumbnail } from '../../../../electron/agent/calls/clip-files.ts';
import { openOrderDesk, type OrderDesk } from '../../../helpers/order-desk.ts';
import { clipRow, incidentRow } from '../../../helpers/queue-fixture.ts';

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

const jpeg = await readFile(fileURLToPath(new URL('../../../fixtures/clips/concourse.jpg', import.meta.url)));
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A clip whose image holds these bytes; returns the image's path. */
async function withImage(bytes: Uint8Array, name = 'a.jpg'): Promise<string> {
  const path = await desk.write(`exports/Fight/${name}`, bytes);
  const stats = await stat(path, { bigint: true });
  desk.tables.incidents.insert(incidentRow({ rootPath: desk.root, exportPath: 'Fight' }));
  desk.tables.clips.insert(clipRow());
  desk.tables.thumbnails.put({
    clipId: 'clip-1',
    path: name,
    serviceName: 'a.jpg',
    sizeBytes: Number(stats.size),
    mtimeNs: String(stats.mtimeNs),
    inode: String(stats.ino),
    device: String(stats.dev),
  });
  return path;
}
const read = (clip = 'clip-1') => readThumbnail(desk.parts, clip, desk.signal);
const refusedAs = (code: string) => ({ ok: false, error: { code } });

describe('readThumbnail', () => {
  it.each([
    ['image/jpeg', jpeg],
    ['image/png', png],
    // The bytes decide, not the name
    ['image/gif', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')],
    ['image/webp', Buffer.from('RIFF\u0020\u0000\u0000\u0000WEBPVP8 ', 'latin1')],
  ])('answers an image of type %s as it lies in the folder', async (mediaType, bytes) => {
    await withImage(bytes);
    expect(await read()).toEqual({ ok: true, value: { mediaType, base64: bytes.toString('base64') } });
  });

  it.each([
    ['a page', '<html><script>alert(1)</script></html>'],
    ['a drawing that may hold a script', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['nothing known', 'content'],
  ])('does not hand out %s under the name of an image', async (_what, text) => {
    await withImage(Buffer.from(text));
    expect(await read()).toMatchObject(refusedAs('FILE_TYPE_MISMATCH'));
  });

  it('does not read a large one', async () => {
    await withImage(Buffer.concat([jpeg, Buffer.alloc(2_000_001 - jpeg.length)]));
    expect(await read()).toMatchObject(refusedAs('FILE_TOO_LARGE'));
  });

  it('says so when the clip has none, and when there is no such clip', async () => {
    desk.tables.incidents.insert(incidentRow());
    desk.tables.clips.insert(clipRow());
    expect(await read()).toMatchObject(refusedAs('NOT_FOUND'));
    expect(await read('clip-9')).toMatchObject(refusedAs('NOT_FOUND'));
  });

  it('does not follow a link that was put in its place', async () => {
    const path = await withImage(jpeg);
    await rename(path, join(desk.home, 'secret.jpg'));
    await symlink(join(desk.home, 'secret.jpg'), path);
    expect(await read()).toMatchObject(refusedAs('FILE_LINK'));
  });

  it('does not show another version than the one that is known', async () => {
    await withImage(jpeg);
    await desk.write('exports/Fight/a.jpg', png);
    expect(await read()).toMatchObject(refusedAs('FILE_CHANGED'));
  });

  it('says so when it is gone', async () => {
    const path = await withImage(jpeg);
    await desk.write('exports/Fight/b.jpg');
    await rm(path);
    expect(await read()).toMatchObject(refusedAs('FILE_GONE'));
  });
});
