import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  timeOf,
  weekdays,
  type ScheduleLimit,
  DAY_MINUTES,
  minutesOf,
  type ScheduleLine,
  type Weekday,
} from '../../../shared/domain/line-schedule.ts';
import { formatSpeed } from '../../../shared/lib/readable-amounts.ts';
import { useLocale } from '../../stores/services.ts';
import styles from './settings.module.css';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const HOUR_MINUTES = 60;

/** A day and an hour. */
type Cell = readonly [day: number, hour: number];

/** The marked range, from its anchor to the cursor. */
interface Marked {
  readonly from: Cell;
  readonly to: Cell;
}

const FIRST: Marked = { from: [0, 8], to: [0, 8] };

/** Steps of the arrow keys. */
const steps: Readonly<Record<string, Cell>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The limit in force; undefined when no line applies. */
type Allowed = ScheduleLimit | undefined;
/** The limit of each minute, by day from Monday. */
type Week = readonly (readonly Allowed[])[];

/** An area of the week: the same minutes on consecutive days. Ends are exclusive. */
interface WeekArea {
  readonly days: readonly [first: number, end: number];
  readonly minutes: readonly [first: number, end: number];
}

/** The week that a schedule's lines produce; the last matching line applies. */
export function weekOf(schedule: readonly ScheduleLine[]): Week {
  const week: Allowed[][] = weekdays.map(() => Array<Allowed>(DAY_MINUTES).fill(undefined));
  for (const { days, from, to, limit } of schedule) {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    for (const day of days.map((name) => weekdays.indexOf(name))) {
      week[day]?.fill(limit, start, end > start ? end : DAY_MINUTES);
      if (end <= start) week[(day + 1) % weekdays.length]?.fill(limit, 0, end);
    }
  }
  return week;
}

/** The week with another limit in an area; undefined clears the area. */
export function paintWeek(week: Week, { days, minutes }: WeekArea, limit: Allowed): Week {
  return week.map((day, index) =>
    index < days[0] || index >= days[1] ? day : [...day].fill(limit, minutes[0], minutes[1]),
  );
}

/** The lines that produce this week, days with the same times combined, ordered by time. */
export function linesOf(week: Week): ScheduleLine[] {
  const lines = new Map<string, ScheduleLine>();
  for (const [index, day] of week.entries()) {
    const name = weekdays[index];
    if (name === undefined) continue;
    for (const { start, end, limit } of runsOf(day)) {
      const key = `${timeOf(start)} ${timeOf(end)} ${limit}`;
      const days = [...(lines.get(key)?.days ?? []), name];
      lines.set(key, { days, from: timeOf(start), to: timeOf(end), limit });
    }
  }
  return [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

function runsOf(day: readonly Allowed[]) {
  const runs: { start: number; end: number; limit: ScheduleLimit }[] = [];
  for (const [minute, limit] of day.entries()) {
    const last = runs.at(-1);
    if (limit === undefined) continue;
    if (last?.end === minute && last.limit === limit) last.end = minute + 1;
    else runs.push({ start: minute, end: minute + 1, limit });
  }
  return runs;
}

/** The abbreviated name of a weekday in this locale. */
export function dayName(day: Weekday, locale: string): string {
  // 1 January 2024 was a Monday
  const date = Date.UTC(2024, 0, 1 + weekdays.indexOf(day));
  return new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(date);
}

/** The hours of a week, painted by dragging, or with arrow keys, Shift and Space. */
export function WeekGrid({
  week,
  isDisabled,
  onPaint,
}: {
  readonly week: Week;
  readonly isDisabled: boolean;
  readonly onPaint: (area: WeekArea) => void;
}): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const grid = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState<Marked>(FIRST);
  // The latest marked range, even if a move has not been rendered yet when the button is released
  const latest = useRef<Marked>(FIRST);
  const isDrawing = useRef(false);

  function mark(to: Cell, isLonger: boolean): void {
    latest.current = { from: isLonger ? latest.current.from : to, to };
    setMarked(latest.current);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${to.join('-')}"]`)?.focus();
  }

  function paint(): void {
    if (!isDisabled) onPaint(areaOf(latest.current));
  }

  /** Marks the cell under the pointer, even while another element has captured it. */
  function draw({ clientX, clientY }: PointerEvent, isLonger: boolean): void {
    const below = document.elementFromPoint(clientX, clientY)?.closest('[data-cell]');
    const [day, hour] = below?.getAttribute('data-cell')?.split('-').map(Number) ?? [];
    if (day !== undefined && hour !== undefined) mark([day, hour], isLonger);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const [days = 0, hours = 0] = steps[event.key] ?? [];
    if (event.key === ' ' || event.key === 'Enter') paint();
    else if (days === 0 && hours === 0) return;
    else {
      const [day, hour] = latest.current.to;
      mark([within(day + days, weekdays.length), within(hour + hours, 24)], event.shiftKey);
    }
    event.preventDefault();
  }

  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={-1}
      aria-label={t('settings.week')}
      aria-multiselectable
      className={styles['week']}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        isDrawing.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        draw(event, event.shiftKey);
      }}
      onPointerMove={(event) => {
        if (isDrawing.current) draw(event, true);
      }}
      onPointerUp={() => {
        if (isDrawing.current) paint();
        isDrawing.current = false;
      }}
      onPointerCancel={() => void (isDrawing.current = false)}
    >
      <div role="row">
        <span role="columnheader">{t('settings.day')}</span>
        {HOURS.map((hour) => (
          <span key={hour} role="columnheader">
            {hour}
          </span>
        ))}
      </div>
      {weekdays.map((name, day) => (
        <div key={name} role="row">
          <span role="rowheader">{dayName(name, locale)}</span>
          {HOURS.map((hour) => (
            <HourCell
              key={hour}
              limits={week[day]?.slice(hour * HOUR_MINUTES, (hour + 1) * HOUR_MINUTES) ?? []}
              name={`${dayName(name, locale)} ${timeOf(hour * HOUR_MINUTES)}`}
              cell={[day, hour]}
              isMarked={isWithin(areaOf(marked), [day, hour])}
              isLast={marked.to[0] === day && marked.to[1] === hour}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function HourCell({
  limits,
  name,
  cell,
  isMarked,
  isLast,
}: {
  readonly limits: readonly (ScheduleLimit | undefined)[];
  readonly name: string;
  readonly cell: Cell;
  readonly isMarked: boolean;
  readonly isLast: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const [limit] = limits;
  const isMixed = limits.some((each) => each !== limit);
  const words = {
    none: [t('settings.limitKind.none'), ''],
    mixed: [t('settings.mixed'), '…'],
    pause: [t('settings.limitKind.pause'), '❚❚'],
    full: [t('settings.limitKind.full'), '▲'],
  } as const;
  const kind = isMixed ? 'mixed' : typeof limit === 'number' ? 'limit' : (limit ?? 'none');
  const [word, glyph] =
    kind === 'limit' ? [formatSpeed(Number(limit)), shortSpeed(Number(limit))] : words[kind];
  return (
    <div
      role="gridcell"
      data-cell={cell.join('-')}
      data-limit={kind}
      aria-selected={isMarked}
      aria-label={`${name}: ${word}`}
      title={`${name}: ${word}`}
      tabIndex={isLast ? 0 : -1}
    >
      {glyph}
    </div>
  );
}

/** Megabytes per second, short enough for a cell. */
const shortSpeed = (bytesPerSecond: number): string => String(Number((bytesPerSecond / 1e6).toPrecision(2)));

function areaOf({ from, to }: Marked): WeekArea {
  const [days, hours] = [
    [from[0], to[0]],
    [from[1], to[1]],
  ].map((ends): [number, number] => [Math.min(...ends), Math.max(...ends) + 1]);
  const [first, end] = hours ?? [0, 0];
  return { days: days ?? [0, 0], minutes: [first * HOUR_MINUTES, end * HOUR_MINUTES] };
}

const isWithin = ({ days, minutes }: WeekArea, [day, hour]: Cell): boolean =>
  day >= days[0] && day < days[1] && hour * HOUR_MINUTES >= minutes[0] && hour * HOUR_MINUTES < minutes[1];

const within = (value: number, end: number): number => Math.min(end - 1, Math.max(0, value));
