import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { HistoryFacts } from '../../../shared/domain/upload-history.ts';
import { clipQuerySchema, type ClipRowView, type ClipState } from '../../../shared/domain/upload-view.ts';
import type { RequestId } from '../../../shared/domain/request-id.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import type { UploadReads } from './upload-reads.ts';

/** Clips of each state, the newest first: support needs examples, not the queue. */
const MOST_CLIPS = 40;
/** Events of each clip, the newest. */
const MOST_EVENTS = 12;
/** Longest part of a file name, characters: enough to find the file, too little to tell of people. */
const MOST_NAME = 40;

/** In the order in which they are of use. */
const states = ['failed', 'uploading', 'waiting', 'paused'] as const satisfies readonly ClipState[];

/**
 * Clips that failed or wait, each with the last that happened to it, a line each: ids, codes and times, no messages.
 * What is in it is not redacted yet.
 */
export function troubleLines(reads: UploadReads): readonly string[] {
  return states.flatMap((state) => {
    const { rows, total } = reads.listClips(clipQuerySchema.parse({ state, limit: MOST_CLIPS }));
    return [`${state}: ${total}`, ...rows.flatMap((row) => clipLines(reads, row))];
  });
}

function clipLines(reads: UploadReads, row: ClipRowView): readonly string[] {
  const history = reads.getHistory({ kind: 'clip', clipId: row.id });
  const events = history.ok ? history.value.events.slice(-MOST_EVENTS) : [];
  const { incidentId, sizeBytes, attempts, nextTryAt, failure } = row;
  const head = [
    `clip ${row.id}`,
    `incident ${incidentId}`,
    shortName(row.file),
    formatBytes(sizeBytes),
    `${attempts} tries counted`,
    failure?.code,
    nextTryAt === undefined ? undefined : `next try ${nextTryAt}`,
  ];
  return [joined(head), ...events.map(({ at, facts }) => `  ${at} ${factsText(facts)}`)];
}

function shortName(path: string): string {
  const name = visibleName(path.slice(path.lastIndexOf('/') + 1));
  return name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
}

function factsText(facts: HistoryFacts): string {
  switch (facts.kind) {
    case 'tried':
      return joined([
        `try ${facts.end}`,
        facts.reason?.code,
        facts.reason?.status === undefined ? undefined : `HTTP ${facts.reason.status}`,
        facts.nextTryAt === undefined ? undefined : `until ${facts.nextTryAt}`,
        ...idTexts(facts.reason?.requestIds),
      ]);
    case 'opened':
      return joined([
        'opened',
        `upload ${facts.uploadId}`,
        `${facts.parts} parts`,
        ...idTexts(facts.requestIds),
      ]);
    case 'parts':
      return joined([`parts ${facts.first} to ${facts.last} (${facts.count})`, ...idTexts(facts.requestIds)]);
    case 'merged':
      return joined([`merged from ${facts.from}`, `${facts.tries} tries`, facts.lastCode ?? undefined]);
    case 'paused':
    case 'resumed':
      return `${facts.kind} by ${facts.by}`;
    default:
      return facts.kind;
  }
}

const idTexts = (ids: readonly RequestId[] | undefined): readonly string[] =>
  (ids ?? []).map(({ name, value }) => `${name}=${value}`);

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(', ');
