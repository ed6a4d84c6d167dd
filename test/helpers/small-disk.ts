import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** Why a small disk cannot be mounted here; undefined when it can. Tests that need one are skipped with this reason. */
export const noSmallDisk =
  process.getuid?.() === 0 && process.platform === 'linux' ? tryMount() : 'needs root on Linux';

function tryMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'mounting a file system is not permitted';
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A separate disk that can be filled to the last byte. */
export interface SmallDisk {
  readonly folder: string;
  fill(): void;
  free(): void;
}

/** Mounts an empty disk of that many MiB for the duration of the test. */
export function mountSmallDisk(context: Pick<TestContext, 'onTestFinished'>, mib: number): SmallDisk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'small-disk-')));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'none', folder]);
  context.onTestFinished(() => {
    // A file that is still being closed there must not fail the test
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  });
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (const size of [65_536, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    while (writeSync(file, bytes) === bytes.length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
