import type { Period, PeriodRange } from '../../../shared/domain/action.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { defineCommand, refuseOperands, UsageError, type Line, parseTimeOrDay } from '../command.ts';
import { counted } from '../output.ts';
import {
  shortTime,
  tableLines,
  type Column,
  listOptions,
  parseFormat,
  writeList,
  type Sheet,
} from '../table.ts';
import { runTeamWork } from '../report-failure.ts';

/** Lists the periods of the team. */
export const periods = defineCommand({
  name: 'periods',
  usage: ['periods [--from T] [--to T] [--json|--csv]'],
  purpose: 'Lists all periods of the team, or those in a time frame.',
  options: {
    from: {
      value: 'T',
      help: 'from this time, with an offset (2026-05-01T19:30:05Z), or from the start of this date in UTC',
    },
    to: { value: 'T', help: 'to this time, or to the end of this date in UTC' },
    ...listOptions,
  },
  parse(line) {
    refuseOperands(line);
    const format = parseFormat(line);
    return { config: line.text('config'), range: parseRange(line), format };
  },
  run: (input, deps) =>
    runTeamWork({ config: input.config, json: input.format === 'json' }, deps, async (team, signal) => {
      const found = await team.periods.list(input.range, signal);
      if (found.ok)
        writeList(input.format, deps.output, {
          records: found.value,
          sheet: () => periodSheet(found.value),
          lines: (width) => periodLines(found.value, width),
        });
      return found;
    }),
});

function parseRange(line: Line<'from' | 'to'>): PeriodRange {
  const from = line.text('from');
  const to = line.text('to');
  const startAt = from === undefined ? undefined : parseTimeOrDay('--from', from, 'start');
  const endAt = to === undefined ? undefined : parseTimeOrDay('--to', to, 'end');
  // Both have the same format, so text order is time order
  if (startAt !== undefined && endAt !== undefined && startAt > endAt)
    throw new UsageError('--from is later than --to.');
  return knownFields<PeriodRange>({ startAt, endAt });
}

const columns: readonly Column[] = [
  { heading: 'ID' },
  { heading: 'NAME', widest: 48, least: 24 },
  { heading: 'START (UTC)' },
  { heading: 'END' },
  { heading: 'MARKERS', least: 8, cut: 'end', optional: true },
];

/** Periods as a table with a final line with the count. */
function periodLines(periods: readonly Period[], width: number | undefined): readonly string[] {
  if (periods.length === 0) return ['No periods.'];
  const rows = periods.map((period) => [
    String(period.id),
    period.name ?? '',
    shortTime(period.startAt),
    timeBeside(period.startAt, period.endAt),
    markersText(period),
  ]);
  return [...tableLines(columns, rows, width), `${counted(periods.length, 'period')}.`];
}

const markersText = ({ markers, startAt }: Period): string =>
  markers.map(({ name = '', at }) => `${name} ${timeBeside(startAt, at)}`.trim()).join(', ');

/** Omits the date if the time is on the day on which the period starts. */
function timeBeside(startAt: string | undefined, at: string | undefined): string {
  const day = shortTime(startAt).slice(0, 'YYYY-MM-DD '.length);
  const time = shortTime(at);
  return day !== '' && time.startsWith(day) ? time.slice(day.length) : time;
}

function periodSheet(periods: readonly Period[]): Sheet {
  const rows = periods.map((period) => [
    String(period.id),
    ...[period.name, period.startAt, period.endAt, period.createdAt, period.updatedAt].map(
      (text) => text ?? '',
    ),
    period.markers.map(({ name = '', at = '' }) => `${name} ${at}`.trim()).join('; '),
  ]);
  return { headings: ['id', 'name', 'startAt', 'endAt', 'createdAt', 'updatedAt', 'markers'], rows };
}
