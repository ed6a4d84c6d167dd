/**
 * Makes the files of test/fixtures with ffmpeg. They are committed, so this is only needed to change them:
 * `node scripts/make-fixtures.ts clips|thumbnails|writes`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { writtenClip, writtenClipNames } from '../test/helpers/written-clips.ts';

const folderOf = (name: string): string =>
  fileURLToPath(new URL(`../test/fixtures/${name}/`, import.meta.url));

/** A sample clip. */
interface Fixture {
  readonly name: string;
  readonly camera: string;
  readonly size: string;
  readonly seconds: number;
  readonly kilobits: number;
  /** Further ffmpeg options for the output. */
  readonly options?: readonly string[];
}

const samples: readonly Fixture[] = [
  { name: 'gate-4-north.mp4', camera: 'Gate 4 North', size: '640x360', seconds: 4, kilobits: 500 },
  {
    name: 'turnstile-7.mp4',
    camera: 'Turnstile 7',
    size: '480x270',
    seconds: 3,
    kilobits: 450,
    // Index before the media data, and a creation time as a recorder would write it.
    options: ['-movflags', '+faststart', '-metadata', 'creation_time=2026-05-01T18:30:05Z'],
  },
  { name: 'car-park.mp4', camera: 'Car park', size: '640x360', seconds: 6, kilobits: 400 },
  {
    name: 'corridor-fragmented.mp4',
    camera: 'Corridor',
    size: '320x180',
    seconds: 4,
    kilobits: 300,
    options: ['-movflags', '+frag_keyframe+empty_moov', '-g', '12'],
  },
  { name: 'concourse.mkv', camera: 'Concourse', size: '640x360', seconds: 5, kilobits: 450 },
];
/** Clips with an image beside them. */
const withImage = ['gate-4-north', 'car-park', 'concourse'];
const FRAMES_PER_SECOND = 12;

function ffmpeg(...args: readonly string[]): void {
  execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], { stdio: 'inherit' });
}

function makeClip(folder: string, fixture: Fixture): void {
  const source = `testsrc2=size=${fixture.size}:rate=${FRAMES_PER_SECOND}:duration=${fixture.seconds}`;
  const label = `drawtext=text='${fixture.camera}':fontsize=28:fontcolor=white:box=1:boxcolor=black@0.6:x=12:y=h-44`;
  const rate = `${fixture.kilobits}k`;
  ffmpeg(
    ...['-f', 'lavfi', '-i', source, '-vf', `${label},format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'slow', '-b:v', rate, '-maxrate', rate, '-bufsize', rate],
    ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-threads', '1'],
    ...(fixture.options ?? []),
    join(folder, fixture.name),
  );
}

/** The sample clips, and the images beside some of them. */
function makeClips(): void {
  const folder = folderOf('clips');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const fixture of samples) makeClip(folder, fixture);
  for (const name of withImage) {
    const clip = samples.find((fixture) => fixture.name.startsWith(`${name}.`));
    if (clip === undefined) continue;
    ffmpeg(
      '-ss',
      '1',
      '-i',
      join(folder, clip.name),
      '-frames:v',
      '1',
      '-q:v',
      '6',
      join(folder, `${name}.jpg`),
    );
  }
  for (const name of readdirSync(folder)) console.log(`${statSync(join(folder, name)).size}\t${name}`);
}

const h264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p';
const picture = (seconds: number): string => `-f lavfi -i testsrc2=size=320x180:rate=5 -t ${seconds}`;
const black = (seconds: number): string => `-f lavfi -i color=black:size=160x90:rate=5:duration=${seconds}`;

/** A clip for each way of making a thumbnail, and for each reason that there is none. */
const forThumbnails: Readonly<Record<string, string>> = {
  'h264.mp4': `${picture(4)} ${h264} -b:v 60k`,
  'vp9.webm': `${picture(4)} -c:v libvpx-vp9 -b:v 60k -cpu-used 8`,
  'h264.mpegts': `${picture(4)} ${h264} -b:v 60k -f mpegts`,
  'mjpeg.avi': `${picture(2)} -c:v mjpeg -q:v 12`,
  'h264.avi': `${picture(2)} ${h264} -b:v 60k`,
  'hevc.mp4': `${picture(2)} -c:v libx265 -x265-params log-level=none -preset ultrafast -b:v 60k -pix_fmt yuv420p -tag:v hvc1`,
  'wide.mp4': `-f lavfi -i testsrc2=size=1920x1080:rate=2 -t 1 ${h264} -crf 40`,
  'black.mp4': `${black(8)} ${h264}`,
  'black-lead-in.mp4': `${black(4)} -f lavfi -i testsrc2=size=160x90:rate=5:duration=6 -filter_complex [0][1]concat=n=2:v=1 ${h264} -crf 38 -g 10`,
  'sound-only.mp4': '-f lavfi -i sine=frequency=440 -t 1 -c:a aac -b:a 16k',
};

function makeThumbnailClips(): void {
  const folder = folderOf('thumbnails');
  mkdirSync(folder, { recursive: true });
  for (const [name, options] of Object.entries(forThumbnails))
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...options.split(' '), join(folder, name)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
}

const mpeg4 = '-c:v mpeg4 -b:v 60k -c:a aac -b:a 16k';
const written: Readonly<Record<(typeof writtenClipNames)[number], string>> = {
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
/** Writes every packet separately, like a recorder that writes for hours. */
const asRecorder = '-flush_packets 1'.split(' ');

/** Matches lines such as `write(3, "\x00\x01", 2)`, in which file names and bytes are hexadecimal. */
const SYSTEM_CALL = /^(openat|write|read|lseek|close)\((.*?)\) += (-?\d+)/;
const hexadecimal = (text: string): string => text.replaceAll('\\x', '');

function parseTrace(trace: string, path: string): readonly (readonly [number, string])[] {
  const name = Buffer.from(path).toString('hex');
  /** The current position of each descriptor of the file. */
  const positions = new Map<string, number>();
  const writes: (readonly [number, string])[] = [];
  for (const line of trace.split('\n')) {
    const [, kind, inside = '', answer = ''] = SYSTEM_CALL.exec(line) ?? [];
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

/** Makes small clips with ffmpeg, with every write it made for them as recorded by strace. */
function traceWrites(): void {
  const folder = folderOf('writes');
  const workspace = mkdtempSync(join(tmpdir(), 'trace-writes-'));
  for (const name of writtenClipNames) {
    const [clip, trace] = [join(workspace, name), join(workspace, `${name}.trace`)];
    execFileSync('strace', [
      ...['-e', 'trace=openat,write,read,lseek,close', '-xx', '-s', '1000000', '-o', trace],
      ...['ffmpeg', '-hide_banner', '-loglevel', 'error', '-y', ...source, ...written[name].split(' ')],
      ...[...asRecorder, clip],
    ]);
    const writes = parseTrace(readFileSync(trace, 'latin1'), clip);
    writeFileSync(join(folder, `${name}.json.gz`), gzipSync(JSON.stringify(writes), { level: 9 }));
    const { whole } = writtenClip(name);
    if (!whole.equals(readFileSync(clip))) throw new Error(`The writes of ${name} do not make the file`);
    process.stdout.write(`${name}: ${writes.length} writes\n`);
  }
  rmSync(workspace, { recursive: true });
}

const makers: Readonly<Record<string, () => void>> = {
  clips: makeClips,
  thumbnails: makeThumbnailClips,
  writes: traceWrites,
};
const make = makers[process.argv[2] ?? ''];
if (make === undefined) {
  console.error(`Usage: node scripts/make-fixtures.ts ${Object.keys(makers).join('|')}`);
  process.exitCode = 2;
} else make();
