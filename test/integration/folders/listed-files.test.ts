import { createHash } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { heldFiles, startFolderBench, videoOf, warningCodes, type FolderBench } from './folder-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const bytes = (fill: number, length = 4_000) => Buffer.alloc(length, fill);
const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex');
const [one, two, other] = [bytes(1), bytes(2), bytes(3)];

/** Exports that are not in the queue: `name state`, followed by their named files. */
async function listed(bench: FolderBench): Promise<readonly string[]> {
  const { rows } = await bench.call('uploads.listExports', {});
  return rows.map(
    ({ name, state, facts }) => `${name} ${state} ${facts.named.map(({ path }) => path).join(' ')}`,
  );
}

async function expectListed(bench: FolderBench, wanted: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await listed(bench)).toEqual(wanted), { timeout: 30_000 });
}

const sent = (bench: FolderBench) =>
  bench
    .of('clip.uploaded')
    .map(({ file }) => file)
    .toSorted();
const flagsOf = async (bench: FolderBench, file: string) => {
  const { rows } = await bench.call('uploads.listClips', { search: file, sort: 'file', order: 'ascending' });
  const [clip] = rows;
  if (clip === undefined) throw new Error(`${file} is not listed`);
  return bench.call('uploads.getClip', { clipId: clip.id });
};

test.concurrent('a folder waits for a file that its list names, and is sent once it is there', async (context) => {
  const list = `${sha256(one)}  one.avi\n${sha256(two)}  two.avi\n`;
  const bench = await startFolderBench(context, {
    files: { 'Fight/one.avi': one, 'Fight/SHA256SUMS': list },
  });
  await expectListed(bench, ['Fight missing two.avi']);
  await bench.untilIdle();
  expect(sent(bench)).toEqual([]);
  await bench.write('Fight/two.avi', two);
  await bench.until(() => sent(bench).length === 2, 'both clips');
  await bench.untilIdle();
  await expectListed(bench, []);
  expect((await flagsOf(bench, 'one.avi')).expectedSha256).toBe(sha256(one));
});

// Windows and macOS treat these names as the same file, and so do lists that are written there
test.concurrent(
  'no file is missing because a list writes its name in another case or with other accents',
  long(),
  async (context) => {
    const says = { videos: [{ file: 'caf\u00e9.avi', camera_name: 'Caf\u00e9' }] };
    const bench = await startFolderBench(context, {
      files: {
        'Bar/cafe\u0301.avi': one,
        'Bar/Incident.json': JSON.stringify(says),
        'Fight/TWO.AVI': two,
        'Fight/SHA256SUMS': `${sha256(two)}  two.avi\n`,
        // Copying one.avi and ONE.avi to such a system keeps only one of them
        'Lost/one.avi': bytes(4),
        'Lost/playlist.m3u': 'one.avi\nONE.avi\n',
        'Wrong/TWO.AVI': other,
        'Wrong/SHA256SUMS': `${sha256(two)}  two.avi\n`,
      },
    });
    await bench.until(() => sent(bench).length === 2, 'both clips');
    await bench.untilIdle();
    expect(await videoOf(bench, 'Bar/cafe\u0301.avi')).toMatchObject({ camera_name: 'Caf\u00e9' });
    expect((await flagsOf(bench, 'TWO.AVI')).expectedSha256).toBe(sha256(two));
    expect(heldFiles(bench)).toEqual(['Wrong/TWO.AVI FILE_SUM_DIFFERS']);
    expect(await listed(bench)).toContain('Lost missing ONE.avi');
  },
);

test.concurrent('full paths in a table of PowerShell are those of its folder', long(), async (context) => {
  const row = (name: string, data: Buffer) =>
    `"${sha256(data).toUpperCase()}","D:\\Case 4\\cam\\${name}"\r\n`;
  const table = `"Hash","Path"\r\n${row('one.avi', one)}${row('two.avi', two)}`;
  const bench = await startFolderBench(context, {
    files: { 'Fight/cam/one.avi': one, 'Fight/cam/two.avi': other, 'Fight/hashes.csv': table },
  });
  await expectListed(bench, ['Fight held cam/two.avi']);
  await bench.untilIdle();
  expect(sent(bench)).toEqual(['cam/one.avi']);
});

test.concurrent('a person may send a folder without what is missing', async (context) => {
  const list = `${sha256(one)}  one.avi\n${sha256(two)}  two.avi\n`;
  const bench = await startFolderBench(context, {
    files: { 'Fight/one.avi': one, 'Fight/SHA256SUMS': list },
  });
  await expectListed(bench, ['Fight missing two.avi']);
  await bench.call('exports.push', { folders: [`${bench.root}/Fight`] });
  await bench.until(() => sent(bench).length === 1, 'the clip');
  await bench.untilIdle();
  expect(sent(bench)).toEqual(['one.avi']);
});

test.concurrent('a clip that is not what the list says stays behind until a person sends it', async (context) => {
  const list = `${sha256(one)}  one.avi\n${sha256(other)}  two.avi\n`;
  const bench = await startFolderBench(context, {
    files: {
      'Fight/one.avi': one,
      'Fight/two.avi': two,
      'Fight/three.avi': other,
      'Fight/SHA256SUMS': list,
    },
  });
  await expectListed(bench, ['Fight held two.avi']);
  await bench.untilIdle();
  expect(sent(bench)).toEqual(['one.avi', 'three.avi']);
  expect(heldFiles(bench)).toEqual(['Fight/two.avi FILE_SUM_DIFFERS']);
  expect(warningCodes(bench, 'Fight')).toContain('FILE_NOT_LISTED');
  expect((await flagsOf(bench, 'three.avi')).flags).toContain('not-listed');
  // It remains so after a restart, and nothing is sent again
  await bench.stopAgent();
  await bench.startAgent();
  await bench.untilIdle();
  await expectListed(bench, ['Fight held two.avi']);
  expect(sent(bench)).toEqual(['one.avi', 'three.avi']);
  await bench.call('exports.push', { folders: [`${bench.root}/Fight`] });
  await bench.until(() => sent(bench).length === 3, 'the clip that differs');
  await bench.untilIdle();
  expect(sent(bench)).toEqual(['one.avi', 'three.avi', 'two.avi']);
});

mostlyLong(['file', 'window'] as const, 1, (some) => {
  for (const unit of some)
    test.concurrent(`a person sends one loose clip that is not what its list says, by ${unit}`, async (context) => {
      const bench = await startFolderBench(context, {
        watch: { unit },
        files: {
          'one.avi': one,
          'one.avi.sha256': `${sha256(other)}  one.avi\n`,
          'two.avi': two,
          'two.avi.sha256': `${sha256(other)}  two.avi\n`,
          'three.avi': other,
          'empty.avi': 0,
        },
      });
      const held = ['empty.avi held empty.avi', 'one.avi held one.avi', 'two.avi held two.avi'];
      await vi.waitFor(async () => expect((await listed(bench)).toSorted()).toEqual(held), {
        timeout: 30_000,
      });
      const { rows } = await bench.call('uploads.listExports', {});
      expect(
        rows
          .filter(({ facts }) => facts.isLoose)
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(['empty.avi', 'one.avi', 'two.avi']);
      const folders = rows.filter(({ name }) => name === 'one.avi').map(({ folder }) => folder);
      await bench.call('exports.push', { folders, loose: true });
      await bench.until(() => sent(bench).length === 2, 'the clip that differs');
      await bench.untilIdle();
      await vi.waitFor(async () => expect((await listed(bench)).toSorted()).toEqual(held.toSpliced(1, 1)), {
        timeout: 30_000,
      });
      expect(sent(bench)).toEqual(['one.avi', 'three.avi']);
      // The others are not reported again
      expect(bench.of('file.held')).toHaveLength(3);
    });
});

test.concurrent('a clip that is rewritten as its list says is sent', long(), async (context) => {
  const bench = await startFolderBench(context, {
    files: { 'Fight/one.avi': one, 'Fight/SHA256SUMS': `${sha256(other)}  one.avi\n` },
  });
  await expectListed(bench, ['Fight held one.avi']);
  await bench.write('Fight/one.avi', other);
  await bench.until(() => sent(bench).length === 1, 'the clip');
  await bench.untilIdle();
  await expectListed(bench, []);
});

test.concurrent('MD5 and SFV lists are checked too; hostile rows are refused one by one', async (context) => {
  const md5 = createHash('md5').update(one).digest('hex');
  const crc = crc32(two).toString(16).padStart(8, '0');
  const large = bytes(4, 600_000);
  const bench = await startFolderBench(context, {
    files: {
      'Fight/one.avi': one,
      'Fight/two.avi': two,
      'Fight/large.avi': large,
      'Fight/list.md5': `${md5}  one.avi\n${md5}  ../../secret.avi\n${md5}  /etc/passwd\n${md5}  large.avi\n`,
      'Fight/list.sfv': `two.avi ${crc}\n`,
    },
  });
  await expectListed(bench, ['Fight held large.avi']);
  await bench.untilIdle();
  expect(sent(bench)).toEqual(['one.avi', 'two.avi']);
  expect(warningCodes(bench, 'Fight')).toEqual(['SIDECAR_PATH']);
});

test.concurrent('a clip has to be what each of the lists says that name it', long(), async (context) => {
  const md5 = (data: Buffer) => createHash('md5').update(data).digest('hex');
  const bench = await startFolderBench(context, {
    files: {
      'Fight/one.avi': one,
      'Fight/two.avi': two,
      'Fight/SHA256SUMS': `${sha256(other)}  one.avi\n${sha256(two)}  two.avi\n`,
      'Fight/list.md5': `${md5(one)}  one.avi\n${md5(two)}  two.avi\n`,
    },
  });
  await expectListed(bench, ['Fight held one.avi']);
  await bench.untilIdle();
  expect(sent(bench)).toEqual(['two.avi']);
});

test.concurrent('input C14: a folder waits for what incident.json names, and keeps back what it says is another', async (context) => {
  const said = {
    videos: [{ file: 'one.avi', sha256: sha256(one) }, { file: 'cams/two.avi' }, { file: 'three.avi' }],
  };
  const bench = await startFolderBench(context, {
    files: {
      'Fight/one.avi': other,
      'Fight/three.avi': bytes(7),
      'Fight/incident.json': JSON.stringify(said),
    },
  });
  await expectListed(bench, ['Fight missing cams/two.avi']);
  await bench.untilIdle();
  expect(sent(bench)).toEqual([]);
  await bench.write('Fight/four.avi', bytes(8));
  await bench.write('Fight/cams/two.avi', two);
  await expectListed(bench, ['Fight held one.avi']);
  await bench.untilIdle();
  expect(sent(bench)).toEqual(['cams/two.avi', 'four.avi', 'three.avi']);
  expect((await flagsOf(bench, 'four.avi')).flags).toContain('not-listed');
});

test.concurrent('an XML of 200 MB is not read: the clips are sent, and it is said that it was too large', async (context) => {
  const bench = await startFolderBench(context, {
    files: { 'Package/Videos/one.avi': one, 'Package/Incident.xml': '<i><v file="two.avi"/>' },
    prepare: (root) => truncate(`${root}/Package/Incident.xml`, 200 * 1024 * 1024),
  });
  await bench.until(() => sent(bench).length === 1, 'the clip');
  await bench.untilIdle();
  await expectListed(bench, []);
  const said = bench.of('warning').map(({ message }) => message);
  expect(said).toContainEqual(expect.stringContaining('"Incident.xml": it is larger than 4 MiB'));
});

test.concurrent(
  'playlists, tables and the XML of an incident package name what must be there',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      files: {
        'Table/one.avi': one,
        'Table/videos.csv': 'file;camera_name\none.avi;Gate 4\ntwo.avi;Gate 5\n',
        'List/one.avi': bytes(5),
        'List/all.m3u8': '#EXTM3U\n#EXTINF:10\none.avi\nhttps://example.com/x.avi\n../out.avi\nlater.avi\n',
        'Package/Videos/one.avi': bytes(6),
        'Package/Incident.xml': '<i><v file="one.avi"/><v>Videos\\two.avi</v><p>C:\\Vault\\x.avi</p></i>',
      },
    });
    await vi.waitFor(
      async () =>
        expect((await listed(bench)).toSorted()).toEqual([
          'List missing later.avi',
          'Package missing Videos/two.avi',
          'Table missing two.avi',
        ]),
      { timeout: 30_000 },
    );
    await bench.untilIdle();
    expect(sent(bench)).toEqual([]);
    expect(warningCodes(bench, 'List')).toContain('SIDECAR_PATH');
    await bench.write('List/later.avi', bytes(9));
    await bench.until(() => sent(bench).length === 2, 'the playlist');
  },
);

test.concurrent('a list may name clips of other incidents, which are not waited for', async (context) => {
  const loose = await startFolderBench(context, {
    watch: { unit: 'file' },
    files: { 'one.avi': one, 'one.m3u8': 'one.avi\ntwo.avi\none.jpg\n', 'two.avi': two },
  });
  await expectListed(loose, ['one.avi missing one.jpg']);
  await loose.write('one.jpg', bytes(4));
  await loose.until(() => sent(loose).length === 2, 'both clips');
  const leaf = await startFolderBench(context, {
    watch: { unit: 'leaf' },
    files: { 'Job/a.avi': one, 'Job/SHA256SUMS': `${sha256(one)}  a.avi\n${sha256(two)}  Gate/b.avi\n` },
  });
  await leaf.until(() => sent(leaf).length === 1, 'the clip of the folder');
  await expectListed(leaf, []);
});
