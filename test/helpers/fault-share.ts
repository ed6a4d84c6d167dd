import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { eventually } from './eventually.ts';

const PROGRAM = fileURLToPath(new URL('fault_fs.py', import.meta.url));
/** Debian's own Python, which has its packages, and not another one earlier in the path. */
const PYTHON = '/usr/bin/python3';

/** Why a file system of our own cannot be mounted here; undefined when it can. */
export const noShare = ((): string | undefined => {
  if (!existsSync('/dev/fuse')) return 'there is no /dev/fuse';
  for (const module of ['fuse', 'fusepy']) {
    try {
      execFileSync(PYTHON, ['-c', `import ${module}`], { stdio: 'ignore' });
      return undefined;
    } catch {
      // The module's other name
    }
  }
  return 'python3-fusepy is not installed';
})();

/** The fault to cause; with errno 0, operations hang. */
export interface ShareFault {
  readonly errno: number;
  readonly operations: readonly ('stat' | 'list' | 'open' | 'read')[];
  readonly only?: string;
}

/** A real file system whose calls can be made to fail. */
export interface FaultShare {
  /** The folder to put files in; they are seen at `mount`. */
  readonly source: string;
  readonly mount: string;
  begin(fault: ShareFault): Promise<void>;
  end(): Promise<void>;
}

/** Mounts a share of two folders below `mount` for the duration of the test. */
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
