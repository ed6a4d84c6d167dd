import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { verifyPack } from '../../../electron/agent/evidence/custody/verify-pack.ts';
import type { Planted } from './planted-changes.ts';

/** The result of checking a pack. */
export interface Checked {
  readonly code: number;
  readonly said: string;
}

/** Runs a program to its end. */
export const run = (program: string, args: readonly string[]): Promise<Checked> =>
  new Promise((resolve) => {
    execFile(program, [...args], (error, said, errors) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, said: said + errors });
    });
  });

/** The interpreter itself: `python3` may name a wrapper that looks for it each time. */
export async function findPython(): Promise<string> {
  const found = await run('python3', ['-c', 'import sys; print(sys.executable)']);
  return found.said.trim();
}

/** The checkers that run here. Without PowerShell, as `verify.ps1` is for Windows. */
export const checkers = {
  program: async ({ pack, copies }: Planted, fingerprint: string): Promise<Checked> => {
    const trusted = fingerprint === '' ? [] : [fingerprint];
    const { differences } = await verifyPack({ folder: pack, trusted, copies: [copies] });
    return { code: differences.length === 0 ? 0 : 1, said: differences.join('\n') };
  },
  'verify.sh': ({ pack, copies }: Planted, fingerprint: string) =>
    run('sh', [join(pack, 'verify.sh'), fingerprint, copies]),
  'verify.py': async ({ pack, copies }: Planted, fingerprint: string) =>
    run(await findPython(), [join(pack, 'verify.py'), fingerprint, copies]),
};
