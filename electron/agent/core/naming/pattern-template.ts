import { RE2JS } from 're2js';
import type { PatternSettings } from '../../../../shared/domain/naming-settings.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** Words for AM and PM, with dots and spaces of any width, as `own-patterns.ts` reads them. */
const HALF = String.raw`(?:[ap]\.?[\s\x{A0}\x{202F}]?m\.?|vorm\.?|nachm\.?|午前|午後|上午|下午|오전|오후)`;

/** The letters of a format, longest first, with their group and expression. */
const letters: readonly (readonly [letters: string, group: string, expression: string])[] = [
  ['YYYY', 'year', '[0-9]{4}'],
  ['YY', 'year', '[0-9]{2}'],
  ['MMM', 'month', '[A-Za-z]{3}'],
  ['MM', 'month', '[0-9]{2}'],
  ['M', 'month', '[0-9]{1,2}'],
  ['DD', 'day', '[0-9]{2}'],
  ['D', 'day', '[0-9]{1,2}'],
  ['HH', 'hour', '[0-9]{2}'],
  ['H', 'hour', '[0-9]{1,2}'],
  ['hh', 'hour', '[0-9]{2}'],
  ['h', 'hour', '[0-9]{1,2}'],
  ['mm', 'minute', '[0-9]{2}'],
  ['SSS', 'fraction', '[0-9]{3,9}'],
  ['ss', 'second', '[0-9]{2}'],
  ['A', 'half', HALF],
];

/** A date without a format: the order of the pattern, with or without separators. */
const dates: Readonly<Record<PatternSettings['dateOrder'], string>> = {
  YMD: 'YYYY?MM?DD',
  DMY: 'DD?MM?YYYY',
  MDY: 'MM?DD?YYYY',
};

/** The name of a group; with the prefix, that of the same group for the end time. */
export const prefixed = (prefix: '' | 'end', group: string): string =>
  prefix === '' ? group : `end${group.charAt(0).toUpperCase()}${group.slice(1)}`;

/** Translates a template into an expression for RE2. The error is the end of a sentence about it. */
export function translateTemplate(
  template: string,
  order: PatternSettings['dateOrder'],
): Result<string, string> {
  const pieces: string[] = [];
  const used = new Set<string>();
  let rest = template;
  while (rest !== '') {
    const token = /^\{([A-Za-z]+)(?::([^{}]*))?\}/.exec(rest);
    if (token === null && /^[{}]/.test(rest))
      return err('has a brace that is not part of a field like {camera}');
    const literal = token === null ? (/^[^{}]+/.exec(rest)?.[0] ?? rest) : '';
    const piece =
      token === null ? ok(RE2JS.quote(literal)) : translateField(token[1] ?? '', token[2], order, used);
    if (!piece.ok) return piece;
    pieces.push(piece.value);
    rest = rest.slice(token === null ? literal.length : token[0].length);
  }
  return ok(pieces.join(''));
}

function translateField(
  field: string,
  format: string | undefined,
  order: PatternSettings['dateOrder'],
  used: Set<string>,
): Result<string, string> {
  const free: Readonly<Record<string, string>> = { any: '[^/]*?', number: '[0-9]+' };
  if (free[field] !== undefined) return ok(free[field]);
  const plain: Readonly<Record<string, string>> = {
    camera: '[^/]+?',
    recorder: '[^/]+?',
    device: '[^/]+?',
    channel: '[0-9]{1,4}',
    epoch: '[0-9]{9,20}',
    endEpoch: '[0-9]{9,20}',
  };
  const simple = plain[field];
  if (simple !== undefined) return group(field, simple, used);
  const formats: Readonly<Record<string, string>> = {
    date: dates[order],
    time: 'HH?mm?ss',
    start: `${dates[order]}?HH?mm?ss`,
    end: `${dates[order]}?HH?mm?ss`,
    endDate: dates[order],
    endTime: 'HH?mm?ss',
  };
  const usual = formats[field];
  if (usual === undefined)
    return err(
      `has an unknown field {${field}}; use one of ${[...Object.keys(plain), ...Object.keys(formats), ...Object.keys(free)].join(', ')}`,
    );
  return translateFormat(format ?? usual, field.startsWith('end') ? 'end' : '', format === undefined, used);
}

/** `isUsual`: `?` stands for any single separator, or none. */
function translateFormat(
  format: string,
  prefix: '' | 'end',
  isUsual: boolean,
  used: Set<string>,
): Result<string, string> {
  if (format.includes('h') && !format.includes('A'))
    return err('uses the 12-hour clock (h) without AM or PM (A); use H for the 24-hour clock');
  const pieces: string[] = [];
  for (let rest = format; rest !== '';) {
    const known = letters.find(([word]) => rest.startsWith(word));
    const [word = rest.charAt(0)] = known ?? [];
    rest = rest.slice(word.length);
    if (known !== undefined) {
      const [, name, expression] = known;
      const piece = group(prefixed(prefix, name), expression, used);
      if (!piece.ok) return piece;
      pieces.push(piece.value);
    } else if (isUsual && word === '?') pieces.push('[-_. :hmT]?');
    else if (/^[a-z]$/i.test(word) && word !== 'T') return err(`has an unknown letter "${word}" in a format`);
    else pieces.push(RE2JS.quote(word));
  }
  return ok(pieces.join(''));
}

function group(name: string, expression: string, used: Set<string>): Result<string, string> {
  if (used.has(name)) return err(`has more than one field for "${name}"`);
  used.add(name);
  return ok(`(?P<${name}>${expression})`);
}
