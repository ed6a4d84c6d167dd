import type { Period } from '../../../shared/domain/period.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Host } from '../deps.ts';
import { shortTime } from '../short-time.ts';
import type { Column } from '../table.ts';
import { counted } from '../counted.ts';
import { tableLines } from '../team/table-lines.ts';
import type { PeriodsCommand } from '../team/team-command.ts';
import { done, runTeamWork, type TeamNeeds } from '../team-session.ts';
import { writeList, type Sheet } from '../write-list.ts';

/** Lists the periods of the team. */
export const periodsCommand = (command: PeriodsCommand, host: Host, needs: TeamNeeds): Promise<ExitCode> =>
  runTeamWork(command, host, needs, async (team, signal) => {
    const periods = await team.periods.list(command.range, signal);
    if (!periods.ok) return periods;
    writeList(command.format, host.output, {
      records: periods.value,
      sheet: () => periodSheet(periods.value),
      lines: (width) => periodLines(periods.value, width),
    });
    return done;
  });

const columns: readonly Column[] = [
  { heading: 'ID' },
  { heading: 'NAME', widest: 48, least: 24 },
  { heading: 'START (UTC)' },
  { heading: 'END' },
  { heading: 'MARKERS', least: 8, cut: 'end', optional: true },
];

/** Periods as a table with a last line that counts them. */
export function periodLines(periods: readonly Period[], width: number | undefined): readonly string[] {
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

/** A time of the day on which the period starts needs no date. */
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
