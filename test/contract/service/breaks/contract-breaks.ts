import { agentBreaks } from './agent-breaks.ts';
import type { ContractBreak } from './contract-break.ts';
import { errorBreaks } from './error-breaks.ts';
import { incidentBreaks } from './incident-breaks.ts';
import { messageBreaks } from './message-breaks.ts';
import { periodBreaks } from './period-breaks.ts';
import { uploadBreaks } from './upload-breaks.ts';
import { userBreaks } from './user-breaks.ts';

/** Every deliberate mistake, in the order of the interface. */
export const contractBreaks: readonly ContractBreak[] = [
  ...incidentBreaks,
  ...uploadBreaks,
  ...periodBreaks,
  ...messageBreaks,
  ...userBreaks,
  ...agentBreaks,
  ...errorBreaks,
];

/** The titles of the tests that must notice the break. Throws for a prefix that matches none. */
export function noticedBy(
  { rules: beginnings }: ContractBreak,
  titles: readonly string[],
): readonly string[] {
  return beginnings.flatMap((beginning) => {
    const fitting = titles.filter((title) => title.startsWith(beginning));
    if (fitting.length === 0) throw new Error(`No rule begins with "${beginning}"`);
    return fitting;
  });
}

/** Titles that no break covers: their tests have never been seen to fail. */
export function unproven(titles: readonly string[]): readonly string[] {
  const proven = new Set(contractBreaks.flatMap((each) => noticedBy(each, titles)));
  return titles.filter((title) => !proven.has(title));
}
