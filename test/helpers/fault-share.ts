import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { eventually } from './eventually.ts';

const PROGRAM = fileURLToPath(new URL('fault_fs.py', import.meta.url));
/** Debian's own, which has its packages; not one that somebody put before it. */
const PYTHON = '/usr/bin/python3';

/** Why a file system of our own cannot be mounted here; undefined when it can. */
export const noShare = ((): string | undefined => {
  if (!existsSync('/dev/fuse')) return 'there is no /dev/fuse';
  for (const module of ['fuse', 'fusepy']) {
    try {
      execFileSync(PYTHON, ['-c', `import ${module}`], { stdio: 'ignore' });
      return undefined;
    } catch {
      // The other name
    }
  }
  return 'python3-fusepy is not installed';
})();

/** What goes wrong: errno 0 hangs. */
export interface ShareFault {
  readonly errno: number;
  readonly operations: readonly ('stat' | 'list' | 'open' | 'read')[];
  readonly only?: string;
}

/** A real file system whose calls fail by order. */
export interface FaultShare {
  /** Where the files are put; what is put there is seen at `mount`. */
  readonly source: string;
  readonly mount: string;
  begin(fault: ShareFault): Promise<void>;
  end(): Promise<void>;
}

/** Mounts a share of two folders below `mount` for as long as the test runs. */
export async function mountFaultShare(context: Pick<TestContext, 'onTestFinished'>): Promise<FaultShare> {
  const folder = mkdtempSync(join(tmpdir(), 'fault-share-'));
  const [source, mount, orders] = ['source', 'mount', 'orders.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [source, mount]) mkdirSync(path);
  const write = async (order: object): Promise<void> => {
    writeFileSync(`${orders}.part`, JSON.stringify(order));
    await rename(`${orders}.part`, orders);
  };
  await write({});
  mkdirSync(join(source, 'exports'));
  const child = spawn(PYTHON, [PROGRAM, source, mount, orders], { stdio: 'ignore' });
  context.onTestFinished(async () => {
    await write({});
    execFileSync('umount', ['--lazy', mount]);
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await eventually(() => existsSync(join(mount, 'exports')), 'the share', 20_000);
  return { source, mount, begin: (fault) => write(fault), end: () => write({}) };
}
