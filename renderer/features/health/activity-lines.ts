import type { TFunction } from 'i18next';
import type { ActivityEntry } from '../../../shared/ipc/calls/health.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** One thing that happened, as people are told it; several of a kind in a row are one. */
export interface ActivityLine {
  /** Number of its newest row. */
  readonly sequence: number;
  readonly at: string;
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly incidentId: string | undefined;
  readonly clipId: string | undefined;
}

interface Telling {
  /** Name of its words below `health.did`. */
  readonly words: string;
  readonly level?: ActivityLine['level'];
  /** Clips of one incident that met the same are one line. */
  readonly isCounted?: true;
}

/** What is told of the rows of the chain, by their action; what is not here is for the audit view. */
const tellings: Readonly<Record<string, Telling>> = {
  'incident.found': { words: 'found' },
  'incident.described': { words: 'edited' },
  'clip.found': { words: 'clipsFound', isCounted: true },
  'clip.sent': { words: 'clipsSent', isCounted: true },
  'clip.known': { words: 'clipsKnown', isCounted: true },
  'clip.failed': { words: 'clipsFailed', level: 'error', isCounted: true },
  'clip.cancelled': { words: 'clipsCancelled', level: 'warn', isCounted: true },
  'clip.leftOut': { words: 'clipsLeftOut', level: 'warn', isCounted: true },
  'clip.takenBack': { words: 'clipsTakenBack', isCounted: true },
  'clip.retried': { words: 'clipsRetried', isCounted: true },
  'clip.changed': { words: 'clipsChanged', level: 'warn', isCounted: true },
  'clip.returned': { words: 'clipsReturned', isCounted: true },
  'record.written': { words: 'synced' },
  'custody.packed': { words: 'packed' },
  'agent.started': { words: 'started' },
  'agent.stopped': { words: 'stopped' },
  'queue.lost': { words: 'queueLost', level: 'error' },
  'queue.rebuilt': { words: 'queueRebuilt', level: 'warn' },
  'chain.broken': { words: 'chainBroken', level: 'error' },
  'uploads.pause': { words: 'paused', level: 'warn' },
  'uploads.resume': { words: 'resumed' },
  'uploads.cancel': { words: 'cancelled' },
  'uploads.retry': { words: 'retried' },
  'uploads.moveToFront': { words: 'moved' },
  'exports.push': { words: 'pushed' },
  'settings.save': { words: 'settings' },
  'settings.setKey': { words: 'keyStored' },
  'settings.forgetKey': { words: 'keyForgotten', level: 'warn' },
  'messages.post': { words: 'posted' },
  'users.create': { words: 'userCreated' },
  'users.update': { words: 'userUpdated' },
  'users.deactivate': { words: 'userUpdated' },
  'users.remove': { words: 'userDeleted' },
};

/** What happened, newest first, of rows that stand newest first. */
export function tellActivity(entries: readonly ActivityEntry[], t: TFunction): readonly ActivityLine[] {
  const groups: ActivityEntry[][] = [];
  for (const entry of entries) {
    const { action, state } = entry;
    // Of a command the row that says that it was carried out
    if (tellings[action] === undefined || (state !== undefined && state !== 'done')) continue;
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isSame(last[0], entry)) last.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap((group) => {
    const [newest] = group;
    return newest === undefined ? [] : [lineOf(newest, group.length, t)];
  });
}

function isSame(one: ActivityEntry, other: ActivityEntry): boolean {
  const { action, incidentId, code } = one;
  return (
    tellings[action]?.isCounted === true &&
    action === other.action &&
    incidentId === other.incidentId &&
    code === other.code
  );
}

function lineOf(entry: ActivityEntry, count: number, t: TFunction): ActivityLine {
  const { sequence, at, action, title, file, reason, code, incidentId } = entry;
  const { words = '', level = 'info' } = tellings[action] ?? {};
  return {
    sequence,
    at,
    level,
    text: t(`health.did.${words}`, {
      count,
      title: title === undefined ? t('health.did.anIncident') : visibleName(title),
      file: visibleName(file ?? ''),
      reason: reason ?? code ?? '',
      what: whatOf(entry, t),
    }),
    incidentId,
    clipId: count === 1 ? entry.clipId : undefined,
  };
}

/** What a command was about. */
function whatOf({ title, named }: ActivityEntry, t: TFunction): string {
  if (title !== undefined) return `"${visibleName(title)}"`;
  return named === undefined ? t('health.did.everything') : t('health.did.things', { count: named });
}

/** Lines that hold each of the typed words. */
export function withWords<Line>(
  lines: readonly Line[],
  search: string,
  textOf: (line: Line) => string,
): readonly Line[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return lines;
  return lines.filter((line) => {
    const text = textOf(line).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
