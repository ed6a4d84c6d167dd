import { RE2JS } from 're2js';
import type { PatternSettings } from '../../../../shared/domain/naming-settings.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { isTimeZone, type WrittenTime } from '../times/zoned-time.ts';
import { baseName, splitName } from './file-kinds.ts';
import { hourOf, laterThan, monthOf, written, type NameFields, type Recogniser } from './recogniser.ts';
import { prefixed, translateTemplate } from './pattern-template.ts';

/**
 * A pattern that a desk writes for names that no recogniser knows. A template is translated into a regular expression;
 * experts write one themselves. Both run in RE2, whose run time grows with the length of a name and never with the
 * pattern's shape. RE2 has no look-around and no back-references.
 */
export interface OwnPattern {
  readonly recogniser: Recogniser;
  /** IANA zone of its times, if the pattern states one; otherwise the folder's applies. */
  readonly timeZone?: string;
  /** Reads a path; undefined if the pattern does not fit or the time is not a real one. */
  readonly read: (path: string) => NameFields | undefined;
  /** The parts of a path that it matches, in order and without overlap; undefined if it does not fit. */
  readonly parts: (path: string) => readonly PatternPart[] | undefined;
  /** File extensions of its samples. */
  readonly extensions: ReadonlySet<string>;
}

/** What one part of a path means. */
export interface PatternPart {
  readonly kind: 'camera' | 'channel' | 'device' | 'recorder' | 'date' | 'time' | 'end';
  readonly from: number;
  readonly to: number;
}

/** Longest path that is read by patterns, characters: longer ones fit none. */
export const LONGEST_PATTERN_PATH = 500;
/** Largest program that RE2 may make of a pattern, instructions: about ten milliseconds with the longest path. */
const LARGEST_PROGRAM = 600;

const kinds = { camera: 'camera', channel: 'channel', device: 'device', recorder: 'recorder' } as const;
const dateGroups = ['year', 'month', 'day'] as const;
const timeGroups = ['hour', 'minute', 'second', 'fraction', 'half', 'epoch'] as const;
const endGroups = 'endYear endMonth endDay endHour endMinute endSecond endFraction endHalf endEpoch'.split(
  ' ',
);

/** Group names that an expression may use. */
export const groupNames: readonly string[] = [
  ...Object.keys(kinds),
  ...dateGroups,
  ...timeGroups,
  ...endGroups,
];

function kindOf(group: string): PatternPart['kind'] {
  for (const kind of Object.values(kinds)) if (kind === group) return kind;
  if (dateGroups.some((each) => each === group)) return 'date';
  return endGroups.includes(group) ? 'end' : 'time';
}

/** Why a clock is invalid, as the end of a sentence; undefined if it is valid. */
export const clockProblem = (clock: string): string | undefined =>
  clock === 'local' || clock === 'utc' || isTimeZone(clock)
    ? undefined
    : `is "${clock}", which is not "local", "utc" or a time zone`;

/** Compiles a pattern. The error is the end of a sentence about it. */
export function compilePattern(pattern: PatternSettings): Result<OwnPattern, string> {
  const { name, template, expression, clock } = pattern;
  if (template === undefined && expression === undefined)
    return err('is missing; a pattern needs a template or an expression');
  if (template !== undefined && expression !== undefined)
    return err('cannot be combined with an expression; use only one of them');
  const wrongClock = clockProblem(clock);
  if (wrongClock !== undefined) return err(`has a clock that ${wrongClock}`);
  const source =
    template === undefined ? ok(expression ?? '') : translateTemplate(template, pattern.dateOrder);
  if (!source.ok) return source;
  const compiled = compile(source.value);
  if (!compiled.ok) return compiled;
  const groups = groupsOf(compiled.value);
  const strange = groups.find((group) => !groupNames.includes(group));
  if (strange !== undefined)
    return err(`has an unknown group "${strange}"; use one of ${groupNames.join(', ')}`);
  if (groups.length === 0) return err('has no camera, date or time');
  const wrongTime = timeProblem(groups);
  if (wrongTime !== undefined) return err(wrongTime);
  const textsOf = (path: string): Texts | undefined => {
    const matcher = path.length > LONGEST_PATTERN_PATH ? undefined : compiled.value.matcher(path);
    if (matcher?.matches() !== true) return undefined;
    return new Map(
      groups.flatMap((group): [string, Text][] => {
        const text = matcher.group(group);
        if (text === null || text === undefined) return [];
        return [[group, { text, from: matcher.start(group), to: matcher.end(group) }]];
      }),
    );
  };
  return ok({
    recogniser: {
      name,
      system: `your pattern "${name}"`,
      clock: clock === 'utc' ? 'utc' : 'local',
      trust: 'desk',
      label: 'own',
      source: template ?? expression ?? '',
      shapes: [],
      samples: [],
      refuses: [],
    },
    ...(clock !== 'local' && clock !== 'utc' && { timeZone: clock }),
    read: (path) => readTexts(textsOf(path), pattern.epoch),
    parts: (path) => partsIn(textsOf(path)),
    extensions: extensionsOf(pattern.samples),
  });
}

/** Why a time could never be read, or only by guessing the rest. An end on the same day as the start needs no date. */
function timeProblem(groups: readonly string[]): string | undefined {
  for (const prefix of ['', 'end'] as const) {
    const has = (group: string): boolean => groups.includes(prefixed(prefix, group));
    const dated = dateGroups.filter(has).length;
    const isOfStart = prefix === 'end' && dated === 0 && groups.includes('hour');
    if (has('hour') && !has('minute')) return 'has an hour without minutes';
    if ((has('minute') || has('second')) && !has('hour')) return 'has minutes or seconds without an hour';
    if (has('hour') && dated < dateGroups.length && !isOfStart)
      return 'has a time of day without a full date (year, month and day)';
  }
  return undefined;
}

function extensionsOf(samples: readonly string[]): ReadonlySet<string> {
  const all = samples.map((sample) => splitName(baseName(sample.replaceAll('\\', '/'))).extension);
  return new Set(all.filter((extension) => extension !== ''));
}

interface Text {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}
type Texts = ReadonlyMap<string, Text>;

/** Leading folders and the file extension need not be in the pattern. */
function compile(source: string): Result<RE2JS, string> {
  try {
    const re = RE2JS.compile(`(?:.*/)?(?:${source})(?:\\.[A-Za-z0-9]{1,10})?`, RE2JS.CASE_INSENSITIVE);
    if (re.programSize() > LARGEST_PROGRAM) return err('is too complex; use fewer repetitions');
    return ok(re);
  } catch (error) {
    const what = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : String(error);
    return err(`cannot be read: ${what}`);
  }
}

const groupsOf = (re: RE2JS): readonly string[] => Object.keys(re.namedGroups());

function partsIn(texts: Texts | undefined): readonly PatternPart[] | undefined {
  if (texts === undefined) return undefined;
  return [...texts]
    .map(([group, { from, to }]) => ({ kind: kindOf(group), from, to }))
    .filter(({ from, to }) => to > from)
    .toSorted((left, right) => left.from - right.from);
}

function readTexts(texts: Texts | undefined, epoch: PatternSettings['epoch']): NameFields | undefined {
  if (texts === undefined) return undefined;
  const of = (group: string): string | undefined => texts.get(group)?.text.trim() || undefined;
  const start = timeOf(of, '', undefined, epoch);
  const end = timeOf(of, 'end', start === 'wrong' ? undefined : start, epoch);
  if (start === 'wrong' || end === 'wrong') return undefined;
  const [camera, channel, device, recorder] = ['camera', 'channel', 'device', 'recorder'].map(of);
  return {
    ...(camera !== undefined && { cameraName: camera }),
    ...(channel !== undefined && { channel: channel.replace(/^0+(?=\d)/, '') }),
    ...(device !== undefined && { device }),
    ...(recorder !== undefined && { recorder }),
    ...(start && { start }),
    ...(end && { end }),
  };
}

const unitMs = { s: 1000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
/** From 2000 to 2100, milliseconds: numbers outside are counters or have another unit. */
const EPOCH_RANGE_MS = { from: 946_684_800_000, to: 4_102_444_800_000 };

/** `wrong`: a time is written there, but not a real one. */
function timeOf(
  textOf: (group: string) => string | undefined,
  prefix: '' | 'end',
  start: WrittenTime | undefined,
  epoch: PatternSettings['epoch'],
): WrittenTime | 'wrong' | undefined {
  const of = (group: string): string | undefined => textOf(prefixed(prefix, group));
  const count = of('epoch');
  if (count !== undefined) return readEpochIn(count, epoch);
  const [year, month, day, hour] = ['year', 'month', 'day', 'hour'].map(of);
  if (hour === undefined) return undefined;
  const half = halfOf(of('half'));
  const hours = half === 'wrong' ? undefined : hourOf(hour, half);
  const [minute = '0', second = '0'] = [of('minute'), of('second')];
  const clock = [hours, Number(minute), Number(second)];
  if (year === undefined) {
    if (start?.kind !== 'wall' || hours === undefined) return 'wrong';
    const digits = clock.map((part) => String(part).padStart(2, '0')).join('');
    return laterThan(start.wall, digits) ?? 'wrong';
  }
  const months = /^\d/.test(month ?? '') ? Number(month) : monthOf(month ?? '');
  const years = year.length === 2 ? 2000 + Number(year) : Number(year);
  return written([years, months, Number(day ?? Number.NaN), ...clock], of('fraction')) ?? 'wrong';
}

function readEpochIn(text: string, unit: PatternSettings['epoch']): WrittenTime | 'wrong' {
  if (!/^\d{1,20}$/.test(text)) return 'wrong';
  const ms = Math.floor(Number(text) * unitMs[unit]);
  return ms >= EPOCH_RANGE_MS.from && ms < EPOCH_RANGE_MS.to ? { kind: 'instant', ms } : 'wrong';
}

/** Words that systems write for AM and PM, without dots and without spaces of any width. */
const halves: ReadonlyMap<string, 'am' | 'pm'> = new Map([
  ...['am', 'a', 'vorm', 'vm', '午前', '上午', '오전'].map((word) => [word, 'am'] as const),
  ...['pm', 'p', 'nachm', 'nm', '午後', '下午', '오후'].map((word) => [word, 'pm'] as const),
]);

function halfOf(text: string | undefined): 'am' | 'pm' | 'wrong' | undefined {
  if (text === undefined) return undefined;
  return halves.get(text.toLowerCase().replaceAll(/[.\s]/g, '')) ?? 'wrong';
}
