import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField } from '../../ui/fields.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import styles from './settings.module.css';

/**
 * A name that needs a pattern, and what a person says about its clip: `at` is the time on the recorder's clock,
 * `2026-05-01 19:30:05`.
 */
export interface NameExample {
  readonly sample?: string | undefined;
  readonly camera?: string | undefined;
  readonly at?: string | undefined;
}

/** Asks for the camera and start time that a name contains, and shows the pattern that reads them. Nothing is saved. */
export function ProposePattern({
  sample,
  entered,
  onChange,
  template,
}: {
  readonly sample: string;
  readonly entered: NameExample;
  readonly onChange: (entered: NameExample) => void;
  readonly template: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <section aria-label={t('settings.patternFor')} className={styles['block']}>
      <p>
        {t('settings.patternFor')} <SafeName name={sample} />
      </p>
      <div className="pair">
        <TextField
          label={t('settings.toldCamera')}
          description={t('settings.toldCameraHelp')}
          value={entered.camera ?? ''}
          onChange={(camera) => onChange({ ...entered, camera })}
        />
        <TextField
          label={t('settings.toldStart')}
          description={t('settings.toldStartHelp')}
          value={entered.at ?? ''}
          onChange={(at) => onChange({ ...entered, at })}
          isCode
        />
      </div>
      <p role="status">
        {template === undefined ? t('settings.noProposal') : t('settings.proposal', { template })}
      </p>
    </section>
  );
}

/** A range of a name, and the field that replaces it. */
interface Found {
  readonly from: number;
  readonly to: number;
  readonly field: string;
}

const SEPARATORS = ['', '-', '_', '.', ':', ' '];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/**
 * A template for names like this one, based on where its camera and its time appear; undefined if neither does. Nothing
 * is guessed: if day and month are the same number, their order remains open.
 */
export function proposeTemplate(sample: string, example: Omit<NameExample, 'sample'>): string | undefined {
  const path = sample.replaceAll('\\', '/').replace(/\.[A-Za-z0-9]{1,10}$/, '');
  // Templates cannot contain braces
  if (/[{}]/.test(path)) return undefined;
  const time = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?/.exec(example.at?.trim() ?? '');
  const found: Found[] = [];
  if (time !== null) found.push(...timesIn(path, time.slice(1, 7)));
  const camera = example.camera?.trim() ?? '';
  const place = camera === '' ? undefined : freePlace(path, camera, found);
  if (place !== undefined) found.push({ ...place, field: '{camera}' });
  if (found.length === 0) return undefined;
  const ordered = found.toSorted((one, other) => one.from - other.from);
  const start = path.lastIndexOf('/', ordered[0]?.from ?? 0) + 1;
  const pieces: string[] = [];
  let at = start;
  for (const { from, to, field } of ordered) {
    pieces.push(between(path.slice(at, from)), field);
    at = to;
  }
  return [...pieces, between(path.slice(at))].join('');
}

/** Text between the fields is kept, except for numbers, which may vary. */
const between = (text: string): string => text.replaceAll(/\d+/g, '{number}');

type Span = Pick<Found, 'from' | 'to'>;

/**
 * A range where the text appears outside the ranges already taken: after them if possible, and not inside a longer
 * number.
 */
function freePlace(path: string, text: string, taken: readonly Span[] = []): Span | undefined {
  const places: Span[] = [];
  for (let from = path.indexOf(text); from >= 0; from = path.indexOf(text, from + 1))
    places.push({ from, to: from + text.length });
  const isInNumber = ({ from }: Span): boolean =>
    /^\d+\D/.test(text) && /\d/.test(path.charAt(from - 1)) && taken.every(({ to }) => to !== from);
  const free = places.filter(
    (place) => !isInNumber(place) && taken.every((span) => place.to <= span.from || place.from >= span.to),
  );
  const end = Math.max(0, ...taken.map(({ to }) => to));
  return free.find(({ from }) => from >= end) ?? free.at(-1);
}

type Printed = readonly (readonly [format: string, text: string])[];

/** The range of the first of these texts that appears in the path; the most specific ones are listed first. */
function firstOf(
  path: string,
  printed: Printed,
  kind: string,
  taken: readonly Span[] = [],
): Found | undefined {
  for (const [format, text] of printed) {
    const span = freePlace(path, text, taken);
    if (span !== undefined) return { ...span, field: `{${kind}:${format}}` };
  }
  return undefined;
}

/** The date and the time of day; one without the other does not give a moment. */
function timesIn(path: string, parts: readonly (string | undefined)[]): readonly Found[] {
  const [year = '', month = '', day = '', hour = '', minute = '', second] = parts;
  const date = firstOf(path, datesOf(year, month, day), 'date');
  if (date === undefined) return [];
  const time = firstOf(path, clocksOf(hour, minute, second), 'time', [date]);
  return time === undefined ? [] : [date, time];
}

function datesOf(year: string, month: string, day: string): Printed {
  const [m, d, word] = [String(Number(month)), String(Number(day)), MONTHS[Number(month) - 1] ?? ''];
  // If day and month are the same number, a date that ends with the year does not reveal their order
  const isOpen = month === day;
  const all = SEPARATORS.flatMap((sep): Printed => {
    const of = (formats: readonly string[], texts: readonly string[]) =>
      [formats.join(sep), texts.join(sep)] as const;
    const yearLast = [
      of(['DD', 'MM', 'YYYY'], [day, month, year]),
      of(['MM', 'DD', 'YYYY'], [month, day, year]),
    ];
    const short = [of(['D', 'M', 'YYYY'], [d, m, year]), of(['M', 'D', 'YYYY'], [m, d, year])];
    return [
      of(['YYYY', 'MM', 'DD'], [year, month, day]),
      of(['YYYY', 'MMM', 'DD'], [year, word, day]),
      of(['DD', 'MMM', 'YYYY'], [day, word, year]),
      of(['MMM', 'DD', 'YYYY'], [word, day, year]),
      ...(isOpen ? [] : yearLast),
      ...(isOpen || sep === '' ? [] : short),
    ];
  });
  return [...all, ['YYMMDD', `${year.slice(2)}${month}${day}`]];
}

function clocksOf(hour: string, minute: string, second: string | undefined): Printed {
  const twelve = String(Number(hour) % 12 === 0 ? 12 : Number(hour) % 12);
  const half = Number(hour) < 12 ? 'AM' : 'PM';
  const tails = second === undefined ? [[]] : [[['ss', second]], []];
  const halves = [half, half.toLowerCase()].flatMap((text) => [text, ` ${text}`, `_${text}`]);
  const all = (hours: readonly (readonly [string, string])[], ends: readonly string[]): Printed =>
    SEPARATORS.flatMap((sep) =>
      tails.flatMap((tail) =>
        hours.flatMap((first) => {
          const parts = [first, ['mm', minute], ...tail];
          const [format, text] = [0, 1].map((index) => parts.map((part) => part[index] ?? '').join(sep));
          return ends.map(
            (end) => [`${format ?? ''}${end.replace(/[AP]M/i, 'A')}`, `${text ?? ''}${end}`] as const,
          );
        }),
      ),
    );
  const longest = (one: Printed): Printed => one.toSorted(([, a], [, b]) => b.length - a.length);
  return longest([
    ...all(
      [
        ['hh', twelve.padStart(2, '0')],
        ['h', twelve],
      ],
      halves,
    ),
    ...all([['HH', hour]], ['']),
  ]);
}
