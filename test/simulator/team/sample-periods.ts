import type { ServiceMarker, ServicePeriod } from './team.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Events begin on a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Least time since the start of the current period: its match is in the second half at any minute. */
const NOW_SINCE_MS = 195 * MINUTE_MS;

type Kind = keyof typeof kinds;
interface KindOfPeriod {
  /** Hour of the day, UTC. */
  readonly startHour: number;
  readonly hours: number;
  /** Names and minutes after the start; a single one is returned as an object, none as null. */
  readonly markers: readonly (readonly [name: string, minutes: number])[];
}

const kinds = {
  match: {
    startHour: 13,
    hours: 5,
    markers: [
      ['Doors', 15],
      ['Kick-off', 120],
      ['Half time', 167],
      ['Second half', 182],
      ['Full time', 231],
      ['Ground clear', 280],
    ],
  },
  concert: {
    startHour: 16,
    hours: 7,
    markers: [
      ['Sound check', 0],
      ['Gates open', 60],
      ['Support act', 150],
      ['Main act', 225],
      ['Curfew', 390],
    ],
  },
  training: { startHour: 8, hours: 4, markers: [['Session starts', 30]] },
  tours: { startHour: 9, hours: 8, markers: [] },
} as const satisfies Readonly<Record<string, KindOfPeriod>>;

/** Days before or after today. None is next to today, so that exactly one period is current at any hour. */
const season: readonly (readonly [day: number, kind: Kind, name: string])[] = [
  [-91, 'match', 'Kingsbridge v Harwick Town'],
  [-86, 'training', 'Evacuation exercise, north and east stands'],
  [-84, 'match', 'Kingsbridge v Northvale Athletic'],
  [-77, 'concert', 'Aurora Lane: Slow Light Tour'],
  [-76, 'concert', 'Aurora Lane: Slow Light Tour (2nd night)'],
  [-70, 'match', 'Kingsbridge v Port Ellis Rovers'],
  [-65, 'tours', 'Stadium tours and museum'],
  [-63, 'match', 'Kingsbridge v 1. FC Grünwald (friendly)'],
  [-56, 'training', 'Steward induction: radio and escalation'],
  [-52, 'match', 'Kingsbridge v Olympique Vallée'],
  [-49, 'match', 'Kingsbridge Women v St. Aldate’s'],
  [-42, 'concert', 'The Paper Lanterns'],
  [-38, 'match', 'Kingsbridge v Harbour City'],
  [-35, 'tours', 'Open day, school groups'],
  [-30, 'match', 'Kingsbridge v Carrow Wanderers'],
  [-28, 'training', 'Medical response refresher'],
  [-21, 'match', 'Kingsbridge v Dunmore'],
  [-17, 'concert', 'Símphonia: Film Music Night'],
  [-14, 'match', 'Kingsbridge v Ashford Vale'],
  [-10, 'training', 'Turnstile and access control training'],
  [-7, 'match', 'Kingsbridge v Wexley United'],
  [-3, 'tours', 'Stadium tours and museum'],
  [0, 'match', 'Kingsbridge v Northvale Athletic (Cup, quarter-final)'],
  [4, 'training', 'Evacuation exercise, south stand'],
  [7, 'match', 'Kingsbridge v Tollgate'],
  [12, 'concert', '東京ナイト・オーケストラ'],
  [18, 'tours', 'Sponsor day'],
  [25, 'match', 'Kingsbridge v Mereside'],
  [39, 'concert', 'Ólafur & Söhne'],
  [53, 'match', 'Kingsbridge Women v Ashford Vale'],
];

const FIRST_PERIOD_ID = 4101;
const OTHER_TEAM_PERIOD_ID = 9001;

/** A season around a time: one current period, the others before and after it. */
export function samplePeriods(nowMs: number): readonly ServicePeriod[] {
  return season.map(([day, kind, name], index) =>
    buildPeriod(FIRST_PERIOD_ID + index, name, kind, startOf(day, kind, nowMs)),
  );
}

export function otherTeamPeriod(nowMs: number): ServicePeriod {
  return buildPeriod(OTHER_TEAM_PERIOD_ID, 'Match of another team', 'match', startOf(2, 'match', nowMs));
}

function startOf(day: number, kind: Kind, nowMs: number): number {
  if (day === 0) return Math.floor(nowMs / QUARTER_MS) * QUARTER_MS - NOW_SINCE_MS;
  return (Math.floor(nowMs / DAY_MS) + day) * DAY_MS + kinds[kind].startHour * HOUR_MS;
}

function buildPeriod(id: number, name: string, kind: Kind, startMs: number): ServicePeriod {
  const { hours, markers } = kinds[kind];
  const createdMs = startMs - (30 + (id % 30)) * DAY_MS - (id % 7) * HOUR_MS;
  return {
    id,
    name,
    start_date: iso(startMs),
    end_date: iso(startMs + hours * HOUR_MS),
    created_at: iso(createdMs),
    updated_at: iso(createdMs + (id % 5) * DAY_MS),
    markers: tellMarkers(
      markers.map(([marker, minutes]) => ({ name: marker, timestamp: iso(startMs + minutes * MINUTE_MS) })),
    ),
  };
}

function tellMarkers(markers: readonly ServiceMarker[]): ServicePeriod['markers'] {
  const [first, ...others] = markers;
  if (first === undefined) return null;
  return others.length === 0 ? first : markers;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
