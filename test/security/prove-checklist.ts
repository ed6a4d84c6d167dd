/**
 * `npm run prove:security [NUMBER...]`: removes each guard in a copy of the project, and expects the row's test to
 * fail.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { programStep, runStep } from '../../scripts/run-step.ts';
import { checklist, type ChecklistRow } from './checklist.ts';

/** Longest time for the test of one row, milliseconds. */
const STEP_LIMIT_MS = 240_000;

function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'security-breaks-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) cpSync(file, join(folder, file));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

async function isGreen(folder: string, { number, test }: ChecklistRow): Promise<boolean> {
  const step = programStep(`row ${number}`, 'vitest', 'run', test, '-t', `checklist ${number}:`);
  const { ok } = await runStep({ ...step, folder }, { quiet: true, limitMs: STEP_LIMIT_MS });
  return ok;
}

async function prove(only: readonly string[]): Promise<boolean> {
  const folder = copyProject();
  let missed = 0;
  try {
    for (const row of checklist) {
      const { number, broken } = row;
      if (only.length > 0 && !only.includes(String(number))) continue;
      const path = join(folder, broken.file);
      const whole = readFileSync(path, 'utf8');
      if (!whole.includes(broken.find)) throw new Error(`Row ${number}: ${broken.file} has no such text`);
      const wasGreen = await isGreen(folder, row);
      writeFileSync(
        path,
        whole.replace(broken.find, () => broken.replace),
      );
      const isSeen = wasGreen && !(await isGreen(folder, row));
      writeFileSync(path, whole);
      if (!isSeen) missed += 1;
      console.log(
        `${isSeen ? 'ok    ' : 'FAILED'} ${number} ${row.item}${wasGreen ? '' : ' (not green before)'}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return missed === 0;
}

process.exitCode = (await prove(process.argv.slice(2))) ? 0 : 1;
