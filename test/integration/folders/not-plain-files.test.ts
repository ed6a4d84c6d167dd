import { execFileSync } from 'node:child_process';
import { copyFile, link, mkdir, open, readFile, symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { growMp4 } from '../../helpers/grow-mp4.ts';
import { bytesSent, heldFiles, incidentOf, startFolderBench, videoOf, warningCodes } from './folder-bench.ts';
import { long } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const fixture = fileURLToPath(new URL('../../fixtures/clips/car-park.mp4', import.meta.url));
const TEBIBYTE = 1024 ** 4;
const good = { 'Gate 4/good.avi': 4_000 };

/** Whether this account may create device nodes; other accounts cannot put one into a folder either. */
function makeDevice(path: string): boolean {
  try {
    execFileSync('mknod', [path, 'c', '1', '5'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('fault 41, input A3, input A4, input A5, input A6, input A7: links, pipes, sockets and devices are never opened, and are named', async (context) => {
  let hasDevice = false;
  const server = createServer();
  context.onTestFinished(() => void server.close());
  const bench = await startFolderBench(context, {
    files: good,
    async prepare(root) {
      const folder = join(root, 'Gate 4');
      await symlink('/etc/shadow', join(folder, 'shadow.mp4'));
      await symlink('loop.mp4', join(folder, 'loop.mp4'));
      await symlink('/dev/zero', join(folder, 'zero.mp4'));
      await symlink('good.avi', join(folder, 'inside.avi'));
      await symlink('/etc', join(folder, 'etc'));
      await symlink(folder, join(root, 'linked export'));
      execFileSync('mkfifo', [join(folder, 'clip.mp4')]);
      execFileSync('mkfifo', [join(folder, 'incident.json')]);
      execFileSync('mkfifo', [join(folder, 'good.jpg')]);
      await new Promise<void>((listening) => server.listen(join(folder, 'socket.mp4'), listening));
      hasDevice = makeDevice(join(folder, 'device.mp4'));
      await mkdir(join(folder, 'folder.mp4'));
      await copyFile(fixture, join(folder, 'folder.mp4', 'real.mp4'));
    },
  });
  await bench.untilIdle();
  await bench.expectWhole({ ...good, 'Gate 4/folder.mp4/real.mp4': 0 });
  expect(heldFiles(bench)).toEqual(
    [
      '/linked export FILE_LINK',
      'Gate 4/etc FILE_LINK',
      'Gate 4/inside.avi FILE_LINK',
      'Gate 4/loop.mp4 FILE_LINK',
      'Gate 4/shadow.mp4 FILE_LINK',
      'Gate 4/zero.mp4 FILE_LINK',
      'Gate 4/clip.mp4 FILE_NOT_REGULAR',
      ...(hasDevice ? ['Gate 4/device.mp4 FILE_NOT_REGULAR'] : []),
      'Gate 4/good.jpg FILE_NOT_REGULAR',
      'Gate 4/incident.json FILE_NOT_REGULAR',
      'Gate 4/socket.mp4 FILE_NOT_REGULAR',
    ].toSorted(),
  );
  expect((await incidentOf(bench, 'Gate 4/good.avi'))?.title).toBe('Gate 4');
  expect(bench.of('clip.failed')).toEqual([]);
});

// Swapped for a link between settling and opening
test.concurrent('input A10: a clip that is swapped for a link before its upload is not followed', async (context) => {
  const bench = await startFolderBench(context, { files: good });
  await bench.untilIdle();
  const hold = bench.simulator.faults.hold({ call: 'getUploadUrls' });
  await bench.write('Gate 4/clip.avi', 5_000);
  await hold.arrived;
  const secret = join(bench.home, 'secret.avi');
  await copyFile(join(bench.root, 'Gate 4/clip.avi'), secret);
  const failed = await bench.note('Gate 4/clip.avi', 'failed');
  await symlink(secret, join(bench.root, 'Gate 4/.link'));
  execFileSync('mv', ['-T', join(bench.root, 'Gate 4/.link'), join(bench.root, 'Gate 4/clip.avi')]);
  hold.release();
  await bench.until(() => bench.of('clip.failed').length > 0, 'the clip that is a link now');
  await bench.untilIdle();
  expect(bench.of('clip.failed')).toMatchObject([{ code: 'FILE_LINK', file: 'clip.avi' }]);
  await bench.expectExactly([failed, await bench.note('Gate 4/good.avi')]);
  expect(bytesSent(bench, 'clip')).toEqual([]);
});

test.concurrent('input A9: a clip with a second name is sent, with a warning', long(), async (context) => {
  const bench = await startFolderBench(context, {
    files: good,
    prepare: (root) => link(join(root, 'Gate 4/good.avi'), join(root, '..', 'other-name.avi')),
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(warningCodes(bench, 'Gate 4')).toContain('FILE_HARDLINK');
});

test.concurrent('fault 44, input A1: an empty clip is held, and sent once it has content', async (context) => {
  const bench = await startFolderBench(context, {
    files: { ...good, 'Gate 4/empty.mp4': 0, 'Ramp/empty.avi': 0 },
  });
  await bench.untilIdle();
  expect(heldFiles(bench)).toEqual(['Gate 4/empty.mp4 FILE_EMPTY', 'Ramp/empty.avi FILE_EMPTY']);
  const [held] = bench.of('file.held');
  expect(held?.message).toContain('Empty file');
  expect(bench.simulator.incidents().size).toBe(1);
  await bench.expectWhole(good);
  await bench.write('Ramp/empty.avi', 3_000);
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the clip with content');
  await bench.untilIdle();
  await bench.expectWhole({ ...good, 'Ramp/empty.avi': 0 });
});

// None of the 6 TiB is read, or this would never end
test.concurrent.for([
  { name: 'huge.mp4', make: (path: string) => growMp4(fixture, path, 6 * TEBIBYTE) },
  {
    name: 'huge.avi',
    make: async (path: string) => {
      await (await open(path, 'w')).close();
      await truncate(path, 6 * TEBIBYTE);
    },
  },
])(
  'fault 44, input A31: $name of 6 TiB, over what storage takes, fails with the limit and without being read',
  async ({ name, make }, context) => {
    const bench = await startFolderBench(context, {
      files: good,
      prepare: (root) => make(join(root, 'Gate 4', name)),
      settings: { upload: { multipartThresholdBytes: 100_000_000 } },
    });
    await bench.untilIdle();
    const path = `Gate 4/${name}`;
    expect(bench.of('clip.failed')).toMatchObject([{ code: 'FILE_TOO_LARGE', file: name }]);
    await bench.expectExactly([await bench.note(path, 'failed'), await bench.note('Gate 4/good.avi')]);
    expect((await videoOf(bench, path))?.upload_errors.join(' ')).toMatch(/the limit is 5497558 MB/);
    expect(bench.simulator.requests.of('createMultipartUpload')).toEqual([]);
    expect(bytesSent(bench, 'huge')).toEqual([]);
  },
);

/** An archive with one compressed entry. */
function packed(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  head.writeUInt16LE(8, 8);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, Buffer.from(name), deflateRawSync(content)]);
}

test.concurrent('input A30: what a file is counts before what its name says', async (context) => {
  const program = Buffer.concat([
    Buffer.from('MZ\x90\x00\x03\x00\x00\x00', 'latin1'),
    Buffer.alloc(2_000, 0x90),
  ]);
  const film = await readFile(fixture);
  const files = {
    ...good,
    'Gate 4/setup.mp4': program,
    'Gate 4/page.mkv': '<!doctype html><p>Sign in</p>',
    'Gate 4/other.mkv': 3_000,
    'Gate 4/bomb.g64x': packed('FileInfo.xml', Buffer.alloc(20_000_000)),
    'Gate 4/NVR_ch1_main_20260501193000_20260501193012.dav': film,
    'Gate 4/export.bin9': Buffer.concat([Buffer.from('DHAV'), Buffer.alloc(2_000, 3)]),
  };
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  const sent = ['good.avi', 'other.mkv', 'NVR_ch1_main_20260501193000_20260501193012.dav', 'export.bin9'];
  await bench.expectExactly(await Promise.all(sent.map((name) => bench.note(`Gate 4/${name}`))));
  const said = bench.of('warning').map(({ code, message }) => [code, /"([^"]*)"/.exec(message)?.[1]]);
  expect(said).toContainEqual(['FILE_TYPE_MISMATCH', 'other.mkv']);
  for (const name of ['setup.mp4', 'page.mkv', 'bomb.g64x'])
    expect(said).toContainEqual(['FILE_SKIPPED', name]);
  // A person can send the text anyway, but never the archive
  await bench.call('exports.push', { folders: [`${bench.root}/Gate 4`], asEvidence: true });
  await bench.until(() => bench.of('clip.uploaded').length === sent.length + 1, 'the text');
  await bench.untilIdle();
  await bench.expectExactly(
    await Promise.all([...sent, 'page.mkv'].map((name) => bench.note(`Gate 4/${name}`))),
  );
  // One is a film that any player shows, the other needs its vendor's player
  expect(said.filter(([code]) => code === 'NEEDS_VENDOR_PLAYER')).toEqual([
    ['NEEDS_VENDOR_PLAYER', 'export.bin9'],
  ]);
});

test.concurrent(
  'input A33: two clips with the same bytes are both stored and listed',
  long(),
  async (context) => {
    const bytes = await readFile(fixture);
    const bench = await startFolderBench(context, {
      files: { 'Gate 4/a.mp4': bytes, 'Gate 4/b.mp4': bytes },
    });
    await bench.untilIdle();
    await bench.expectWhole();
  },
);

test.concurrent(
  'input A29: by-products of systems and programs are left out, and half-made files are waited for',
  long(),
  async (context) => {
    const ignored = [
      'clip.mp4.part',
      '~$clip.mp4',
      'Thumbs.db',
      '.DS_Store',
      'desktop.ini',
      '.hidden.mp4',
      'x.crdownload',
    ];
    const files = Object.fromEntries(ignored.map((name) => [`Gate 4/${name}`, 500]));
    const hidden = { '.git/a.avi': 500, '$RECYCLE.BIN/b.avi': 500, 'System Volume Information/c.avi': 500 };
    const bench = await startFolderBench(context, { files: { ...good, ...files, ...hidden } });
    await bench.untilIdle();
    await bench.expectWhole(good);
    expect(bench.simulator.incidents().size).toBe(1);
    expect(bench.of('clip.failed')).toEqual([]);
  },
);
