/**
 * Makes the clips of test/fixtures/writes: small ones of ffmpeg, with every write that it made for them, as strace saw
 * it. They are committed, so this runs only when they are to be changed: `node scripts/trace-writes.ts`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { writtenClip, writtenClipNames } from '../test/helpers/written-clips.ts';

const folder = fileURLToPath(new URL('../test/fixtures/writes/', import.meta.url));
const mpeg4 = '-c:v mpeg4 -b:v 60k -c:a aac -b:a 16k';
const clips: Readonly<Record<(typeof writtenClipNames)[number], string>> = {
  'index-last.mp4': mpeg4,
  'index-first.mp4': `${mpeg4} -movflags +faststart`,
  'plain.mkv': mpeg4,
  'cues-first.mkv': `${mpeg4} -cues_to_front 1`,
  'plain.avi': '-c:v mpeg4 -b:v 60k -c:a mp2 -b:a 32k',
  'plain.asf': '-c:v msmpeg4 -b:v 60k -c:a wmav2 -b:a 32k',
  'plain.mov': '-c:v mjpeg -q:v 31 -an',
};
const source =
  '-f lavfi -i testsrc2=size=48x32:rate=8:duration=2 -f lavfi -i sine=frequency=440:duration=2'.split(' ');
/** Every packet is written on its own, as by a recorder that writes for hours. */
const asRecorder = '-flush_packets 1'.split(' ');

/** `write(3, "\x00\x01", 2)` and the like, whose file names and bytes are in hexadecimal. */
const call = /^(openat|write|read|lseek|close)\((.*?)\) += (-?\d+)/;
const hexadecimal = (text: string): string => text.replaceAll('\\x', '');

function parseTrace(trace: string, path: string): readonly (readonly [number, string])[] {
  const name = Buffer.from(path).toString('hex');
  /** Where each descriptor of the file stands. */
  const positions = new Map<string, number>();
  const writes: (readonly [number, string])[] = [];
  for (const line of trace.split('\n')) {
    const [, kind, inside = '', answer = ''] = call.exec(line) ?? [];
    const opened = /"(.*?)"/.exec(inside)?.[1] ?? '';
    if (kind === 'openat' && hexadecimal(opened) === name) positions.set(answer, 0);
    const descriptor = /^\d+/.exec(inside)?.[0] ?? '';
    const position = positions.get(descriptor);
    if (position === undefined) continue;
    if (kind === 'close') positions.delete(descriptor);
    if (kind === 'lseek') positions.set(descriptor, Number(answer));
    if (kind === 'read' || kind === 'write') positions.set(descriptor, position + Number(answer));
    if (kind === 'write') writes.push([position, Buffer.from(hexadecimal(opened), 'hex').toString('base64')]);
  }
  return writes;
}

const workspace = mkdtempSync(join(tmpdir(), 'trace-writes-'));
for (const name of writtenClipNames) {
  const [clip, trace] = [join(workspace, name), join(workspace, `${name}.trace`)];
  execFileSync('strace', [
    ...['-e', 'trace=openat,write,read,lseek,close', '-xx', '-s', '1000000', '-o', trace],
    ...['ffmpeg', '-hide_banner', '-loglevel', 'error', '-y', ...source, ...clips[name].split(' ')],
    ...[...asRecorder, clip],
  ]);
  const writes = parseTrace(readFileSync(trace, 'latin1'), clip);
  writeFileSync(join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(writes), { level: 9 }));
  const { whole } = writtenClip(name);
  if (!whole.equals(readFileSync(clip))) throw new Error(`The writes of ${name} do not make the file`);
  process.stdout.write(`${name}: ${writes.length} writes\n`);
}
rmSync(workspace, { recursive: true });
