import { agentRows } from './agent-rows.ts';
import { appRows } from './app-rows.ts';

/**
 * A row of the security checklist: the guard, and the test whose name begins with `checklist N:`. `broken` says how the
 * guard is removed; `npm run prove:security` does that in a copy and expects the test to fail. docs/security.md is
 * generated from these rows.
 */
export interface ChecklistRow {
  readonly number: number;
  readonly item: string;
  /** The file that contains the guard. */
  readonly guard: string;
  readonly test: string;
  readonly broken: { readonly file: string; readonly find: string; readonly replace: string };
}

/** All rows, by their numbers. */
export const checklist: readonly ChecklistRow[] = [...appRows, ...agentRows];
