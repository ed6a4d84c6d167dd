import { visibleName } from '../../../shared/lib/visible-name.ts';

/** Longest name or address that a dialog shows, characters. */
const LONGEST_SHOWN = 120;

/** A foreign text as a dialog may show it: nothing hidden in it, and cut where it is long. */
export function shown(text: string): string {
  const visible = visibleName(text);
  return visible.length > LONGEST_SHOWN ? `${visible.slice(0, LONGEST_SHOWN)}…` : visible;
}
