import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchOptions } from './arguments.ts';
import type { BenchStore } from './bench-store.ts';
import type { Tool } from './tools.ts';

/** What every case gets. */
export interface BenchRun {
  readonly options: BenchOptions;
  readonly store: BenchStore;
  readonly tools: readonly Tool[];
  /** Folder on a local disk, removed at the end. */
  readonly work: string;
  say(text: string): void;
}

/** A case's table with what it stands for, and its figures for the JSON file. */
export interface CaseReport {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** One sentence for each figure that must be reached. */
  readonly verdicts: readonly Verdict[];
  readonly figures: unknown;
}

/** Whether a figure is what it must be. */
export interface Verdict {
  readonly text: string;
  readonly isReached: boolean;
}

/** A folder that is gone after `use`. */
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
