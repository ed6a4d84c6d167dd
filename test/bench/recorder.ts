import { execFile, spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const SEED_SECONDS = 2;
const run = promisify(execFile);

/**
 * Input that ffmpeg writes repeatedly, like a recorder: into the file itself, returning to its beginning at the end.
 */
export interface Seed {
  readonly path: string;
  readonly bytesPerSecond: number;
}

/** Makes seconds of noise, which encode like any other recording. Rejects without ffmpeg. */
export async function makeSeed(folder: string): Promise<Seed> {
  const path = join(folder, 'seed.mkv');
  const noise = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', '1280x720', '-r', '25', '-i', '/dev/urandom'];
  await run('ffmpeg', ['-v', 'error', '-t', `${SEED_SECONDS}`, ...noise, '-c:v', 'mpeg4', '-q:v', '4', path]);
  return { path, bytesPerSecond: statSync(path).size / SEED_SECONDS };
}

/** A clip to be recorded. */
export interface Recording {
  readonly path: string;
  readonly sizeBytes: number;
  /** If undefined: as fast as possible. */
  readonly bytesPerSecond?: number;
  /** Options of ffmpeg's writer. */
  readonly options?: readonly string[];
}

/** A clip that is being recorded. */
interface Recorder {
  /** Resolves when its writer has closed it, with the time, milliseconds since 1970. */
  readonly ended: Promise<number>;
  stop(): void;
}

/** Starts recording a clip of about this size. */
export function startRecorder(seed: Seed, recording: Recording): Recorder {
  const { path, sizeBytes, bytesPerSecond, options = [] } = recording;
  mkdirSync(dirname(path), { recursive: true });
  const rate =
    bytesPerSecond === undefined ? [] : ['-readrate', (bytesPerSecond / seed.bytesPerSecond).toFixed(4)];
  const seconds = (sizeBytes / seed.bytesPerSecond).toFixed(3);
  // Makes each recording different: a copy is not sent
  const named = ['-metadata', `title=${basename(path)}`];
  const from = ['-v', 'error', '-stream_loop', '-1', ...rate, '-i', seed.path];
  const child = spawn('ffmpeg', [...from, '-t', seconds, '-c', 'copy', ...named, ...options, path], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('exit', kill);
      if (code === 0) resolve(Date.now());
      else reject(new Error(`The recorder of ${path} ended with ${code}`));
    });
  });
  ended.catch(() => undefined);
  return { ended, stop: kill };
}
