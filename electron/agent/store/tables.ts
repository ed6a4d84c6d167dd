import { createAuditRows, type AuditDetail, type EvidenceNote } from './audit-rows.ts';
import { createClipPages } from './clip-pages.ts';
import { createClipRows, type ClipDetails } from './clip-rows.ts';
import { createLeavingRows } from './deadline-rows.ts';
import { createDeskRows, createDeskKeyRows, createRootRows, createEarlyEndRows } from './desk-rows.ts';
import { createLiveRows } from './live-rows.ts';
import { createGrantRows, createMultipartRows, createOrphanRows, createPartRows } from './multipart-rows.ts';
import { createHistoryRows, type NewHistory, type SentHistory } from './history-rows.ts';
import { createIncidentPages } from './incident-pages.ts';
import { createIncidentRows, type IncidentDetails } from './incident-rows.ts';
import { createJobRows } from './job-rows.ts';
import { createKeptRows, createRetentionRows } from './retention-rows.ts';
import type { WriteDb } from './open-db.ts';
import { createOutlinePages } from './outline-pages.ts';
import { createSentRows } from './sent-rows.ts';
import { createSeenExportRows } from './seen-export-rows.ts';
import { createShiftReads } from './status-reads.ts';
import { createThumbnailRows } from './thumbnail-rows.ts';
import { createTransactions } from './transactions.ts';
import type { HistoryFacts } from '../../../shared/domain/upload-history.ts';

/**
 * Evidence enters the chain together with the row it is about, in the same transaction: whoever writes the history of a
 * clip or an incident, or its details, cannot forget it.
 */
interface Rows {
  /** Adds a piece of evidence to the chain, with the others of its transaction. */
  readonly noted: (note: EvidenceNote) => void;
  readonly clips: ReturnType<typeof createClipRows>;
  readonly history: ReturnType<typeof createHistoryRows>;
  readonly incidents: ReturnType<typeof createIncidentRows>;
  readonly multiparts: Pick<ReturnType<typeof createMultipartRows>, 'byClip' | 'among'>;
  readonly parts: Pick<ReturnType<typeof createPartRows>, 'ofClip'>;
}

/** The same statements, except that evidence is noted in the chain too. */
function chainWrites(rows: Rows): Pick<Rows, 'clips' | 'history' | 'incidents'> {
  const { noted, clips, history, incidents } = rows;
  return {
    history: {
      ...history,
      clip(id, row) {
        const written = history.clip(id, row);
        noteClip(rows, id, row);
        return written;
      },
      sent(sent) {
        history.sent(sent);
        noteSent(rows, sent);
      },
      incident(id, row) {
        const written = history.incident(id, row);
        noteIncident(rows, id, row);
        return written;
      },
    },
    incidents: {
      ...incidents,
      describe(id, details, now) {
        const before = incidents.byId(id);
        if (before !== undefined) {
          const change = changesOf(incidentFields, before, details);
          if (change !== undefined)
            noted({ at: now, action: 'incident.described', detail: { incidentId: id, ...change } });
        }
        return incidents.describe(id, details, now);
      },
    },
    clips: {
      ...clips,
      describe(id, details, now) {
        const before = clips.byId(id);
        if (before !== undefined) {
          const change = changesOf(clipFields, before, details);
          const of = { incidentId: before.incidentId, clipId: id };
          if (change !== undefined)
            noted({ at: now, action: 'clip.described', detail: { ...of, ...change } });
        }
        return clips.describe(id, details, now);
      },
    },
  };
}

const incidentFields = ['title', 'description', 'incidentAt', 'latitude', 'longitude'] as const;
/** The fields of a clip's record. */
export const clipFields = [
  'cameraId',
  'cameraName',
  'cameraDescription',
  'cameraLatitude',
  'cameraLongitude',
  'startedAt',
  'endedAt',
  'expectedSha256',
] as const;

function changesOf<Field extends keyof IncidentDetails | keyof ClipDetails>(
  fields: readonly Field[],
  before: Readonly<Record<Field, string | number | null>>,
  after: Readonly<Record<Field, string | number | null>>,
): { readonly before: AuditDetail; readonly after: AuditDetail } | undefined {
  const changed = fields.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return undefined;
  const pick = (from: Readonly<Record<Field, string | number | null>>): AuditDetail =>
    Object.fromEntries(changed.map((field) => [field, from[field]]));
  return { before: pick(before), after: pick(after) };
}

function noteIncident({ noted, incidents }: Rows, incidentId: string, { at, facts }: NewHistory): void {
  if (facts.kind === 'told') {
    const { version, requestIds = [] } = facts;
    noted({ at, action: 'record.written', detail: { incidentId, version, ...idsOf(requestIds) } });
  }
  if (facts.kind !== 'queued') return;
  const incident = incidents.byId(incidentId);
  const detail = { incidentId, folder: incident?.exportPath, title: incident?.title };
  noted({ at, action: 'incident.found', detail });
}

/** Chain actions by kind of history row. Kinds without one prove nothing: repeated tries, pauses, single parts. */
const actions: Partial<Readonly<Record<HistoryFacts['kind'], string>>> = {
  queued: 'clip.found',
  known: 'clip.known',
  changed: 'clip.changed',
  followed: 'clip.followed',
  returned: 'clip.returned',
  retried: 'clip.retried',
  cancelled: 'clip.cancelled',
  leftOut: 'clip.leftOut',
  takenBack: 'clip.takenBack',
};

function noteClip(rows: Rows, clipId: string, { at, startedAt, facts }: NewHistory): void {
  if (facts.kind === 'uploaded')
    return noteSent(rows, [{ id: clipId, at, startedAt: startedAt ?? null, facts }]);
  const isGivenUp = facts.kind === 'tried' && facts.end === 'given-up';
  const action = isGivenUp ? 'clip.failed' : actions[facts.kind];
  const clip = action === undefined ? undefined : rows.clips.byId(clipId);
  if (action === undefined || clip === undefined) return;
  const { incidentId, path, sizeBytes } = clip;
  const detail = { incidentId, clipId, path, sizeBytes };
  const note = (facts: AuditDetail): void => rows.noted({ at, action, detail: facts });
  switch (facts.kind) {
    case 'queued': {
      const { generation = 1, seenAt, settledAt } = facts;
      const { mtimeNs, expectedSha256: statedSha256 } = clip;
      const stated = statedSha256 === null ? {} : { statedSha256 };
      const found = { mtimeNs, generation, seenAt, settledAt, ...foundSum(clip), ...stated };
      note({ ...detail, ...found });
      break;
    }
    case 'tried':
      note({ ...detail, code: facts.reason?.code });
      break;
    case 'changed':
      note({
        ...detail,
        newSizeBytes: facts.sizeBytes,
        generation: facts.generation,
      });
      break;
    case 'followed':
      note({ ...detail, from: facts.from });
      break;
    case 'known':
      note({ ...detail, storageKey: facts.storageKey });
      break;
    default:
      note(detail);
  }
}

/** The SHA-256 that intake computed, if the queue has one. */
function foundSum(clip: object): AuditDetail {
  const sum = 'foundSha256' in clip ? clip.foundSha256 : undefined;
  return typeof sum === 'string' ? { foundSha256: sum } : {};
}

/** Notes clips that storage has, in few statements for all of them. */
function noteSent(rows: Rows, sent: readonly SentHistory[]): void {
  const ids = sent.map(({ id }) => id);
  const clips = new Map(rows.clips.ofIds(ids).map((clip) => [clip.id, clip]));
  const inParts = new Set(rows.multiparts.among(ids));
  const entries = sent.flatMap(({ id: clipId, at, startedAt, facts: { etag, requestIds = [] } }) => {
    const clip = clips.get(clipId);
    if (clip === undefined) return [];
    const { incidentId, path, sizeBytes, sha256, storageKey } = clip;
    const began = startedAt == null ? {} : { startedAt: new Date(startedAt).toISOString() };
    const parts = (inParts.has(clipId) && partsOf(rows, clipId)) || { etag };
    const of = { incidentId, clipId, path, sizeBytes, sha256, storageKey };
    return [{ at, action: 'clip.sent', detail: { ...of, ...began, ...parts, ...idsOf(requestIds) } }];
  });
  for (const entry of entries) rows.noted(entry);
}

function partsOf({ multiparts, parts }: Rows, clipId: string): AuditDetail | undefined {
  const upload = multiparts.byClip(clipId);
  if (upload === undefined) return undefined;
  const sent = parts.ofClip(clipId);
  return {
    partSizeBytes: upload.partSizeBytes,
    etags: sent.map(({ etag }) => etag),
    partSha256: sent.map(({ sha256 }) => sha256),
  };
}

const idsOf = (requestIds: readonly { readonly name: string; readonly value: string }[]): AuditDetail =>
  requestIds.length === 0 ? {} : { requestIds: requestIds.map(({ name, value }) => `${name}: ${value}`) };

/**
 * Every table's statements, prepared once on one connection, and the single way to write several facts together.
 * `onSyncError` is called when a commit could not be synced to the disk.
 */
export function createTables(db: WriteDb, onSyncError: (error: unknown) => void = () => undefined) {
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  const audit = createAuditRows(db);
  const multiparts = createMultipartRows(db);
  const parts = createPartRows(db);
  const transactions = createTransactions(db, { onError: onSyncError });
  const chained = chainWrites({
    noted: transactions.gathered('evidence', audit.noteEvidenceOf),
    multiparts,
    parts,
    clips: createClipRows(db),
    history: createHistoryRows(db),
    incidents: createIncidentRows(db),
  });

  return {
    desk: createDeskRows(db),
    deskKeys: createDeskKeyRows(db),
    ...createLeavingRows(db),
    ...chained,
    thumbnails: createThumbnailRows(db),
    multiparts,
    grants: createGrantRows(db),
    parts,
    live: createLiveRows(db),
    orphans: createOrphanRows(db),
    jobs: createJobRows(db),
    audit,
    sent: createSentRows(db),
    roots: createRootRows(db),
    earlyEnds: createEarlyEndRows(db),
    kept: createKeptRows(db),
    retention: createRetentionRows(db),
    seenExports: createSeenExportRows(db),
    shifts: createShiftReads(db),
    clipPages: createClipPages(db),
    incidentPages: createIncidentPages(db),
    outlinePages: createOutlinePages(db),
    ...transactions,
    /** Changes whenever another connection wrote, for example `vms-export-agent retry`. */
    dataVersion: () => dataVersion.get() ?? 0,
  };
}

export type Tables = ReturnType<typeof createTables>;
