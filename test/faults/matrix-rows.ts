import { faultRows } from './fault-rows.ts';
import { inputGroups } from './input-rows.ts';

/** One thing that can go wrong; the names of its tests begin with its id. */
export interface MatrixRow {
  readonly id: string;
  readonly words: string;
}

export const faults: readonly MatrixRow[] = faultRows.map((words, index) => ({
  id: `fault ${index + 1}`,
  words,
}));

export const inputs: readonly MatrixRow[] = Object.entries(inputGroups).flatMap(([group, rows]) =>
  rows.map((words, index) => ({ id: `input ${group}${index + 1}`, words })),
);

const ROW_IDS = /\b(?:fault \d+|input [A-H]\d+)\b/g;

/** The ids of rows that a text contains. */
export const rowsIn = (text: string): readonly string[] => [...new Set(text.match(ROW_IDS))];
