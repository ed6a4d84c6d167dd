import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { openDb } from '../../electron/agent/store/open-db.ts';
import { createTables } from '../../electron/agent/store/tables.ts';

const PROGRAM = fileURLToPath(new URL('write-rows.ts', import.meta.url));

/** A process that writes rows, with the number that it has reported as stored. */
export interface RowWriter {
  readonly child: ChildProcess;
  said(): number;
  readonly ended: Promise<void>;
}

export function startRowWriter(
  file: string,
  { command = [], args = [] }: { command?: readonly string[]; args?: readonly string[] } = {},
): RowWriter {
  const [program = '', ...rest] = [...command, process.execPath, '--no-warnings', PROGRAM, file, ...args];
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout?.on('data', (chunk) => (text = `${text}${String(chunk)}`.slice(-100)));
  const ended = once(child, 'close').then(() => undefined);
  const said = (): number => Number(/(\d+)\n[^\n]*$/.exec(text)?.[1] ?? 0);
  return { child, said, ended };
}

/** Expects the queue to be intact; returns its number of rows. */
export function rowsOf(file: string): number {
  const opened = openDb(file);
  if (!opened.ok) throw new Error(opened.error.message);
  try {
    expect(opened.value.pragma('integrity_check', { simple: true })).toBe('ok');
    return createTables(opened.value).incidents.count();
  } finally {
    opened.value.close();
  }
}
