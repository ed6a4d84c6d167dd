import { homedir } from 'node:os';
import type { RequestId } from '../../../shared/domain/failure.ts';
import type { CheckLine, Health } from '../../../shared/domain/health.ts';
import type { HistoryFacts } from '../../../shared/domain/upload-history.ts';
import { clipQuerySchema, type ClipRowView, type ClipState } from '../../../shared/domain/upload-view.ts';
import {
  type BundleFile,
  type LogLine,
  ACTIVITY_SCANNED,
  type Activity,
  type ActivityEntry,
} from '../../../shared/ipc/calls/health.ts';
import type { KeyState } from '../../../shared/ipc/calls/settings.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { type RedactRules, redactText, redactValue, secretForms } from '../core/text/redact.ts';
import type { Secrets } from '../ports.ts';
import type { UploadReads } from './upload-reads.ts';
import { z } from 'zod';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { AuditRow } from '../store/audit-rows.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';

/** Most clips per state, newest first: support needs examples, not the whole queue. */
const MOST_CLIPS = 40;

/** Most events per clip, the newest ones. */
const MOST_EVENTS = 12;

/** Longest part of a file name that is shown, characters: enough to find the file, too little to identify people. */
const MOST_NAME = 40;

/** Most useful first. */
const states = ['failed', 'uploading', 'waiting', 'paused'] as const satisfies readonly ClipState[];

const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu;

/**
 * With a country code, which never begins with 0 as time zone offsets do, and with the usual separators between digits.
 */
const PHONE = /\+[1-9](?:[\s().-]{0,2}\d){6,14}/g;

/** Contents of a support bundle. */
export interface BundleFacts {
  readonly health: Health;
  readonly settings: unknown;
  readonly key: KeyState;
  readonly checks: readonly CheckLine[];
  readonly log: readonly LogLine[];
  /** Clips that failed or wait; see `problemLines`. */
  readonly uploads: readonly string[];
  /** Lines about what people did; see `AuditTrail`. */
  readonly audit: readonly string[];
}

/** Creates the files of a bundle. Each is redacted here, whatever its source: no keys, signed addresses or people. */
export async function makeBundle(facts: BundleFacts, secrets: Secrets): Promise<readonly BundleFile[]> {
  const rules = { secrets: await knownForms(secrets), homeDir: homedir() };
  const { health, settings, key, checks, log, uploads, audit } = facts;
  const about = { ...health.versions, platform: process.platform, architecture: process.arch };
  return [
    jsonFile('about.json', about, rules),
    jsonFile('settings.json', settings, rules),
    // Only whether a key is set: its fingerprint is useful only at the desk
    jsonFile('key.json', { isSet: key.isSet, code: key.failure?.code ?? null }, rules),
    { name: 'checks.txt', text: lines(checks.map(checkText), rules) },
    jsonFile('health.json', health, rules),
    { name: 'uploads.txt', text: lines(uploads, rules) },
    { name: 'audit.txt', text: lines(audit, rules) },
    { name: 'log.txt', text: lines(log.map(logText), rules) },
  ];
}

/** A key that cannot be read cannot be in any text either. */
async function knownForms(secrets: Secrets): Promise<readonly string[]> {
  const key = await secrets.apiKey().catch(() => undefined);
  return key === undefined ? [] : secretForms(key);
}

function jsonFile(name: string, value: unknown, rules: RedactRules): BundleFile {
  return { name, text: `${maskPersonal(JSON.stringify(redactValue(value, rules), undefined, 2))}\n` };
}

/** Line by line: a text as a whole would be truncated. */
function lines(texts: readonly string[], rules: RedactRules): string {
  return texts.map((text) => `${maskPersonal(redactText(text, rules))}\n`).join('');
}

const checkText = ({ name, state, text, failure }: CheckLine): string =>
  `${state.padEnd(8)} ${name.padEnd(10)} ${text}${failure === undefined ? '' : ` (${failure.code})`}`;

const logText = ({ at, level, message, fields }: LogLine): string =>
  `${at} ${level.toUpperCase().padEnd(5)} ${message} ${fields}`.trimEnd();

/**
 * Clips that failed or wait, each with its latest events, one line each: IDs, codes and times, no messages. Not
 * redacted yet.
 */
export function problemLines(reads: UploadReads): readonly string[] {
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
    `attempts: ${attempts}`,
    failure?.code,
    nextTryAt === undefined ? undefined : `next attempt ${nextTryAt}`,
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
      return joined([`merged from ${facts.from}`, `tries: ${facts.tries}`, facts.lastCode ?? undefined]);
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

/** The text without email addresses and phone numbers; support does not need them. */
export function maskPersonal(text: string): string {
  return text.replaceAll(MAIL, '[mail]').replaceAll(PHONE, '[phone]');
}

const text = z.string().optional().catch(undefined);
const count = z.int().min(0).optional().catch(undefined);

/** The reported part of a row's details; a row that somebody altered yields nothing. */
const detailSchema = z.object({
  state: z.enum(['asked', 'done', 'refused', 'broken']).optional().catch(undefined),
  of: count,
  incidentId: text,
  clipId: text,
  title: text,
  path: text,
  sizeBytes: count,
  code: text,
  clips: count,
  incidents: count,
  folders: count,
});
type Detail = z.infer<typeof detailSchema>;

/** Longest row that is shown in full, characters: a clip of 10,000 parts names each of them. */
const MOST_DETAIL = 2000;
const HASH_SHOWN = 16;

type ReadTables = Pick<Tables, 'clips' | 'incidents' | 'read'> & {
  readonly audit: Pick<Tables['audit'], 'between' | 'ends' | 'rowAt'>;
};

/** Reads the newest rows of the chain before a row number, with the names of what they are about. */
export function readActivity(tables: ReadTables, before: number | undefined): Activity {
  return tables.read(() => {
    const { anchor, tail } = tables.audit.ends();
    const to = before === undefined ? (tail?.sequence ?? 0) : before - 1;
    const from = Math.max((anchor?.sequence ?? 0) + 1, to - ACTIVITY_SCANNED + 1);
    const rows = to < from ? [] : tables.audit.between(from, to);
    const nameIncident = remembered((id) => tables.incidents.byId(id)?.title);
    return {
      entries: rows.map((row) => entryOf(row, tables, nameIncident)).toReversed(),
      ...(from > (anchor?.sequence ?? 0) + 1 && { before: from }),
    };
  });
}

function entryOf(
  row: AuditRow,
  { audit, clips }: ReadTables,
  nameIncident: (id: string) => string | undefined,
): ActivityEntry {
  const own = readDetail(row.detail);
  const asked = own.state === 'done' && own.of !== undefined ? audit.rowAt(own.of) : undefined;
  // Only the first row of a command says what it was about
  const detail: Detail = { ...(asked === undefined ? {} : readDetail(asked.detail)), ...defined(own) };
  const { incidentId, clipId, code } = detail;
  const clip = clipId === undefined || code === undefined ? undefined : clips.byId(clipId);
  const failure = parseFailure(clip?.failure ?? null);
  return {
    sequence: row.sequence,
    at: new Date(row.at).toISOString(),
    account: row.account,
    action: row.action,
    detail: row.detail.length > MOST_DETAIL ? `${row.detail.slice(0, MOST_DETAIL)}…` : row.detail,
    hash: row.hash.slice(0, HASH_SHOWN),
    ...knownFields<Partial<ActivityEntry>>({
      state: detail.state,
      incidentId,
      clipId,
      title: (incidentId === undefined ? undefined : nameIncident(incidentId)) ?? detail.title,
      file: detail.path,
      sizeBytes: detail.sizeBytes,
      named: detail.clips ?? detail.incidents ?? detail.folders,
      code,
      reason: failure?.code === code ? failure?.message : undefined,
    }),
  };
}

function readDetail(json: string): Detail {
  try {
    return detailSchema.parse(JSON.parse(json));
  } catch {
    return {};
  }
}

const defined = (detail: Detail): Detail =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== undefined));

function remembered(read: (id: string) => string | undefined): (id: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, read(id));
    return known.get(id);
  };
}
