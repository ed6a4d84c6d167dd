/**
 * Makes the clips of test/fixtures/thumbnails with ffmpeg, one for each way to a picture and for each reason that there
 * is none. They are committed, so this runs only when they are to be changed: `node scripts/make-thumbnail-fixtures.ts`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../test/fixtures/thumbnails', import.meta.url));
const h264 = '-c:v libx264 -preset veryfast -pix_fmt yuv420p';
const picture = (seconds: number): string => `-f lavfi -i testsrc2=size=320x180:rate=5 -t ${seconds}`;
const black = (seconds: number): string => `-f lavfi -i color=black:size=160x90:rate=5:duration=${seconds}`;

const fixtures: Readonly<Record<string, string>> = {
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

mkdirSync(folder, { recursive: true });
for (const [name, options] of Object.entries(fixtures))
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...options.split(' '), join(folder, name)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
