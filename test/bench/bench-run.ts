import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './arguments.ts';
import type { BenchStore } from './bench-store.ts';
import type { Tool } from './tools.ts';

/** Everything that a case is given. */
export interface BenchRun {
  readonly options: BenchOptions;
  readonly store: BenchStore;
  readonly tools: readonly Tool[];
  /** Folder on a local disk, removed at the end. */
  readonly work: string;
  say(text: string): void;
}

/** A case's table with its title, and its figures for the JSON file. */
export interface CaseReport {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** One sentence for each target. */
  readonly verdicts: readonly Verdict[];
  readonly figures: unknown;
}

/** Whether a figure reached its target. */
export interface Verdict {
  readonly text: string;
  readonly isReached: boolean;
}

/** Runs `use` with a folder that is removed afterwards. */
export async function withFolder<T>(
  work: string,
  name: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(work, `${name}-`));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
