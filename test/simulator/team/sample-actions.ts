import { createChooser, type Chooser } from './chooser.ts';
import { fillForm, templates } from './sample-forms.ts';
import {
  actionKinds,
  displayName,
  type ListedAction,
  type ServiceAction,
  type ServiceChannel,
  type ServicePeriod,
  type ServiceUser,
} from './team.ts';

const SEED = 13;
const MINUTE_MS = 60_000;
const FIRST_ACTION_ID = 880_001;
/** Number of actions of a current, past or coming period; of the coming periods only the next ones have any. */
const NOW_ACTIONS = 60;
const PAST_ACTIONS = [4, 18] as const;
const COMING_ACTIONS = 3;
const COMING_PERIODS_WITH_ACTIONS = 4;
/** The stages that an action passes, starting with its creation. */
const stages = ['open', 'assigned', 'doing', 'closed'] as const;
/** Labels of actions that stay at a stage. */
const otherWords = { assigned: 'on hold', doing: 'escalated' } as const;

interface Scene {
  readonly nowMs: number;
  readonly users: readonly ServiceUser[];
  readonly channels: readonly ServiceChannel[];
  readonly choose: Chooser;
  nextActionId(): number;
}

/** About 300 actions of all kinds over the periods, in every state. */
export function sampleActions(
  periods: readonly ServicePeriod[],
  users: readonly ServiceUser[],
  channels: readonly ServiceChannel[],
  nowMs: number,
): readonly ServiceAction[] {
  const choose = createChooser(SEED);
  let actionId = FIRST_ACTION_ID - 1;
  const nextActionId = () => (actionId += 1);
  const named = channels.filter(({ kind }) => kind === 'channel');
  const scene = { nowMs, users, channels: named, choose, nextActionId };
  let coming = 0;
  return periods.flatMap((period) => {
    const isComing = Date.parse(period.start_date) > nowMs;
    if (isComing) coming += 1;
    if (coming > COMING_PERIODS_WITH_ACTIONS) return [];
    return actionsOf(period, isComing ? COMING_ACTIONS : countOf(period, scene), scene);
  });
}

function countOf(period: ServicePeriod, { nowMs, choose }: Scene): number {
  return Date.parse(period.end_date) > nowMs ? NOW_ACTIONS : choose.whole(...PAST_ACTIONS);
}

function actionsOf(period: ServicePeriod, count: number, scene: Scene): readonly ServiceAction[] {
  const times = Array.from({ length: count }, () => creationTime(period, scene));
  return times
    .toSorted((one, other) => one - other)
    .map((createdMs, index) => buildAction(period, index + 1, createdMs, scene));
}

/** During the period and before now; actions of a coming period were prepared within the last day. */
function creationTime({ start_date: start, end_date: end }: ServicePeriod, { nowMs, choose }: Scene): number {
  const [startMs, endMs] = [Date.parse(start), Math.min(Date.parse(end), nowMs)];
  return startMs > nowMs
    ? nowMs - choose.whole(1, 1440) * MINUTE_MS
    : choose.whole(startMs, endMs - MINUTE_MS);
}

function buildAction(period: ServicePeriod, number: number, createdMs: number, scene: Scene): ServiceAction {
  const { choose, users, channels, nextActionId } = scene;
  const kind = actionKinds[number % actionKinds.length] ?? 'Task';
  const [subClassification, formType, fields] = choose.pick(templates[kind]);
  const progress = progressOf(createdMs, scene);
  const channel = choose.pick(channels).name;
  const isAssigned = progress.assignedTime !== null;
  return {
    listed: {
      periodId: period.id,
      periodName: period.name,
      periodActionId: number,
      actionId: nextActionId(),
      classification: kind,
      subClassification,
      ...progress,
      createdByUserName: displayName(choose.pick(users)),
      periodMarker: lastMarker(period, createdMs),
      assignedUserNames: isAssigned ? choose.some(users, choose.whole(1, 3)).map(displayName) : [],
      channel,
      formType,
      latestChannel: choose.chance(0.3) ? choose.pick(channels).name : channel,
      aiDispatched: choose.chance(0.15),
    },
    form: fillForm(fields, choose),
  };
}

type Progress = Pick<ListedAction, 'status' | 'createdTime' | 'assignedTime' | 'doingTime' | 'closedTime'>;

/** The stages that were reached before now; most older actions are closed, some are abandoned. */
function progressOf(createdMs: number, { nowMs, choose }: Scene): Progress {
  const assignedMs = createdMs + choose.whole(1, 12) * MINUTE_MS;
  const doingMs = assignedMs + choose.whole(1, 20) * MINUTE_MS;
  const closedMs = doingMs + choose.whole(2, 60) * MINUTE_MS;
  const wanted = choose.chance(0.85) ? 3 : choose.whole(0, 2);
  const reached = [createdMs, assignedMs, doingMs, closedMs].findLastIndex(
    (at, index) => at <= nowMs && index <= wanted,
  );
  const isCanceled = choose.chance(0.08);
  const last = isCanceled ? Math.min(reached, 1) : reached;
  const time = (stage: number, at: number) => (last >= stage ? iso(at) : null);
  return {
    status: isCanceled ? 'canceled' : wordFor(stages[last] ?? 'open', choose),
    createdTime: iso(createdMs),
    assignedTime: time(1, assignedMs),
    doingTime: time(2, doingMs),
    closedTime: time(3, closedMs),
  };
}

function wordFor(stage: (typeof stages)[number], choose: Chooser): string {
  return (stage === 'assigned' || stage === 'doing') && choose.chance(0.2) ? otherWords[stage] : stage;
}

function lastMarker({ markers }: ServicePeriod, at: number): string | null {
  const passed = [markers ?? []].flat().filter(({ timestamp }) => Date.parse(timestamp) <= at);
  return passed.at(-1)?.name ?? null;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
