/**
 * Makes the sample clips and thumbnails of test/fixtures/clips with ffmpeg. They are committed, so this runs
 * only when they are to be changed: `node scripts/make-fixtures.ts`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Fixture {
  readonly name: string;
  readonly camera: string;
  readonly size: string;
  readonly seconds: number;
  readonly kilobits: number;
  /** Further ffmpeg options for the output. */
  readonly options?: readonly string[];
}

const fixtures: readonly Fixture[] = [
  { name: 'gate-4-north.mp4', camera: 'Gate 4 North', size: '640x360', seconds: 4, kilobits: 500 },
  {
    name: 'turnstile-7.mp4',
    camera: 'Turnstile 7',
    size: '480x270',
    seconds: 3,
    kilobits: 450,
    // Index in front of the media data, and a creation time as a recorder would write it.
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
/** Clips that have an image beside them. */
const withImage = ['gate-4-north', 'car-park', 'concourse'];
const FRAMES_PER_SECOND = 12;

const folder = fileURLToPath(new URL('../test/fixtures/clips/', import.meta.url));

function ffmpeg(...args: readonly string[]): void {
  execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], { stdio: 'inherit' });
}

function makeClip(fixture: Fixture): void {
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

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) rmSync(join(folder, name));
for (const fixture of fixtures) makeClip(fixture);
for (const name of withImage) {
  const clip = fixtures.find((fixture) => fixture.name.startsWith(`${name}.`));
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
