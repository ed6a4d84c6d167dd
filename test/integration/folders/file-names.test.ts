import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import {
  bytesSent,
  heldFiles,
  incidentOf,
  startFolderBench,
  warningCodes,
  type FolderBench,
} from './folder-bench.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** Names that a file system accepts and some programs stumble over, with the stem that the service gets. */
const names: Readonly<Record<string, string>> = {
  'new\nline.avi': 'new_line',
  'ta\tb.avi': 'ta_b',
  'esc\u001b[31mred.avi': 'esc_31mred',
  'evil\u202egpj.avi': 'evil_gpj',
  'zero\u200bwidth\ufeff.avi': 'zero_width',
  '<img src=x onerror=alert(1)>.avi': 'img_src_x_onerror_alert_1',
  '=cmd|calc.avi': 'cmd_calc',
  '@SUM(A1).avi': 'SUM_A1',
  '-rf.avi': '-rf',
  'caf\u00e9.avi': 'cafe',
  'cafe\u0301.avi': 'cafe',
  'A.avi': 'A',
  'a.avi': 'a',
  'CON.avi': 'CON',
  'aux.avi': 'aux',
  'dot.avi.': 'dot',
  'sp .avi ': 'sp',
  '..\\..\\evil.avi': 'evil',
  'a%2e%2e%2fb.avi': 'a_2e_2e_2fb',
  'stream.avi:hidden.avi': 'stream_avi_hidden',
  '北ゲート.avi': 'clip',
  'quote\'"`$(id);&.avi': 'quote_id',
  '%s%n{}.avi': 's_n',
  '..twodots.avi': 'twodots',
  [`${'x'.repeat(251)}.avi`]: 'x'.repeat(64),
  [`${'é'.repeat(125)}.avi`]: 'e'.repeat(64),
};
const files = Object.fromEntries(
  Object.entries(names).map(([name], index) => [`Gate 4/${name}`, 300 + index]),
);

/** Control, direction and zero-width characters: nothing that is shown may contain one. */
// eslint-disable-next-line no-control-regex
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

/** Every name that the service was given for a file, by the file's ID. */
function namesTold({ simulator }: FolderBench): ReadonlyMap<string, string> {
  const bodies = simulator.requests
    .of('getUploadUrls')
    .map(({ body }) => body as { files: Record<string, { filename: string }> });
  return new Map(
    bodies.flatMap(({ files: told }) =>
      Object.entries(told).map(([id, { filename }]) => [id, filename] as const),
    ),
  );
}

// service.md gap 30
test('input A16, input A17, input A18, input A20, input A23, input A24, input A26, input A27, input A28: clips with odd names are all sent, under names of our own making', async (context) => {
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  await bench.expectWhole();
  const told = namesTold(bench);
  for (const path of Object.keys(files)) {
    const { clipId } = await bench.ids(path);
    expect(told.get(clipId), path).toBe(`${names[path.slice('Gate 4/'.length)]}-${clipId.slice(0, 8)}.avi`);
  }
  for (const { key = '' } of bytesSent(bench, '')) expect(key).toMatch(/^[A-Za-z0-9_./-]+$/);
  expect(warningCodes(bench, 'Gate 4')).toContain('FILE_NAME_HIDDEN');
  const shown = bench
    .of('warning')
    .filter(({ code }) => code === 'FILE_NAME_HIDDEN')
    .map(({ message }) => message);
  for (const text of ['new␊line', 'ta␉b', 'esc␛[31m', 'evil<U+202E>gpj', 'zero<U+200B>width<U+FEFF>'])
    expect(shown.join(' ')).toContain(text);
});

test.concurrent('input A21: a name that is no text is named in hexadecimal and held; the rest is sent', async (context) => {
  const good = { 'Gate 4/good.avi': 400 };
  const bench = await startFolderBench(context, {
    files: good,
    prepare: async (root) => {
      const bad = Buffer.from([0x62, 0xff, 0xfe, 0x2e, 0x6d, 0x70, 0x34]);
      await writeFile(Buffer.concat([Buffer.from(`${root}/Gate 4/`), bad]), 'x');
      await writeFile(Buffer.concat([Buffer.from(`${root}/`), bad]), 'x');
    },
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(heldFiles(bench)).toEqual([
    '/<62fffe2e6d7034> FILE_NAME_UNREADABLE',
    'Gate 4/<62fffe2e6d7034> FILE_NAME_UNREADABLE',
  ]);
  expect(bench.of('file.held')[0]?.message).toContain('hex 62fffe2e6d7034');
});

// In messages and in the record, nothing about folders and files is invisible
test.concurrent('input B13: names of folders that hide something are shown visibly, in messages and in the title', async (context) => {
  const folders = [
    'line\nbreak',
    'evil\u202egate',
    '   ',
    '\u0007',
    '<b>bold',
    '=1+1',
    'x'.repeat(255),
    '2026-05-01',
  ];
  const odd = Object.fromEntries(
    folders.flatMap((folder) => [
      [`${folder}/a\u202eb.avi`, 300],
      [`${folder}/empty\u001b.avi`, 0],
      [`${folder}/incident.json`, '{"title": '],
    ]),
  );
  const bench = await startFolderBench(context, {
    files: odd,
    prepare: (root) => writeFile(join(root, 'loose\u202e.avi'), 'x'),
  });
  await bench.untilIdle();
  await bench.expectWhole(
    Object.fromEntries(
      Object.keys(odd)
        .filter((path) => path.includes('b.avi'))
        .map((path) => [path, 0]),
    ),
  );
  for (const event of bench.events) if ('message' in event) expect(event.message).not.toMatch(hidden);
  for (const { message } of bench.logs) expect(message).not.toMatch(hidden);
  const titles = await Promise.all(
    folders.map(async (folder) => (await incidentOf(bench, `${folder}/x`))?.title ?? ''),
  );
  for (const title of titles) expect(title).not.toMatch(hidden);
  expect(titles.slice(0, 2)).toEqual(['line␊break', 'evil<U+202E>gate']);
  expect(titles[2]).toMatch(/^Incident/);
  expect(titles.slice(4, 6)).toEqual(['<b>bold', '=1+1']);
  expect(titles[6]).toHaveLength(200);
  expect(titles.every((title) => title.trim() !== '')).toBe(true);
});
