import { wallTime, type WallTime } from '../times/zoned-time.ts';

/** What was read from the name of an export folder. */
export interface FolderNameReading {
  /** The name without its date and time; empty if it has nothing else. */
  readonly title: string;
  readonly time?: { readonly wall: WallTime; readonly precision: 'day' | 'minute' | 'second' };
}

/** Longest folder name that is searched for a date, characters: the limit of file systems. */
const MAX_NAME_LENGTH = 255;

const yearFirst =
  /(?<!\d)(?<y>(?:19|20)\d{2})([-_.]?)(?<m>\d{2})\2(?<d>\d{2})(?:[-_ T.]{1,3}(?<h>\d{2})[-_.:h]?(?<i>\d{2})(?:[-_.:m]?(?<s>\d{2})s?)?)?(?!\d)/;
/**
 * `28.05.2026_0300`, as the Auto Exporter writes it. Only with dots: with other separators, day and month would be
 * guesswork.
 */
const dayFirst =
  /(?<!\d)(?<d>\d{2})\.(?<m>\d{2})\.(?<y>(?:19|20)\d{2})(?:[-_ ]{1,3}(?<h>\d{2})[-_.:]?(?<i>\d{2})(?:[-_.:]?(?<s>\d{2}))?)?(?!\d)/;

/** Splits the name of an export folder into a title and a time. */
export function readFolderName(name: string): FolderNameReading {
  if (name.length > MAX_NAME_LENGTH) return { title: tidy(name) };
  for (const pattern of [yearFirst, dayFirst]) {
    const match = pattern.exec(name);
    const time = match?.groups && readTime(match.groups);
    if (match === null || time === undefined) continue;
    const before = tidy(name.slice(0, match.index));
    const after = tidy(name.slice(match.index + match[0].length));
    return { title: [before, after].filter((part) => part !== '').join(' '), time };
  }
  return { title: tidy(name) };
}

/** Whether a folder's name is nothing but a date, and therefore not a camera's. */
export function isDateName(name: string): boolean {
  return readFolderName(name).title === '' || /^(?:(?:19|20)\d{2}|\d{1,2})$/.test(name.trim());
}

function readTime(groups: Record<string, string | undefined>): FolderNameReading['time'] {
  const { y, m, d, h, i, s } = groups;
  const wall = wallTime([y, m, d, h ?? 0, i ?? 0, s ?? 0].map(Number));
  if (wall === undefined) return undefined;
  const precision = s !== undefined ? 'second' : h !== undefined ? 'minute' : 'day';
  return { wall, precision };
}

function tidy(text: string): string {
  return text.replace(/^[\s_.,;:-]+|[\s_.,;:-]+$/g, '');
}
