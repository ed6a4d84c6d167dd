import { basename } from 'node:path/posix';
import { z } from 'zod';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import type { AuditRow } from '../../store/audit-rows.ts';
import type { ClipRow } from '../../store/clip-rows.ts';
import type { IncidentRow } from '../../store/incident-rows.ts';
import { parseFailure, parseMade, parseOrigins } from '../../store/json-columns.ts';
import type { Tables } from '../../store/tables.ts';
import type { Manifest, ManifestClip, NotedChange } from './manifest.ts';

const text = z.string();
const texts = z.array(text).default([]);

/** The details that a row about a clip or an incident may have. */
const detailSchema = z.object({
  clipId: text.optional(),
  before: z.record(text, z.json()).optional(),
  after: z.record(text, z.json()).optional(),
  from: text.optional(),
  code: text.optional(),
  fields: texts,
  version: z.number().optional(),
  clockOffsetMs: z.number().optional(),
  foundSha256: text.optional(),
  settledAt: text.optional(),
  startedAt: text.optional(),
  storageKey: text.optional(),
  sha256: text.nullish(),
  etag: text.optional(),
  etags: texts,
  partSizeBytes: z.number().optional(),
  partSha256: texts,
  requestIds: texts,
});

/** A row of the chain with its details parsed. */
export interface Noted {
  readonly row: AuditRow;
  readonly detail: z.infer<typeof detailSchema>;
}

/** The facts from an incident's rows and its part of the chain, without what the pack adds. */
export interface PackFacts extends Pick<Manifest, 'incident' | 'missing'> {
  readonly clips: readonly ManifestClip[];
}

/** A thumbnail in the pack. */
export interface PackedPicture {
  readonly name: string;
}

/**
 * Gathers the facts of one incident. Where the chain and the queue differ, the chain takes precedence and the
 * difference is reported.
 */
export function gatherFacts(
  tables: Pick<Tables, 'clips' | 'multiparts' | 'thumbnails'>,
  incident: IncidentRow,
  rows: readonly AuditRow[],
  pictures: ReadonlyMap<string, PackedPicture>,
): PackFacts {
  const ofClip = Map.groupBy(noted(rows), ({ detail }) => detail.clipId);
  const missing: string[] = [];
  const clips = tables.clips.ofIncident(incident.id).map((clip, index) => {
    const place = { number: index + 1, picture: pictures.get(clip.id)?.name ?? null };
    const read = clipFacts(tables, clip, ofClip.get(clip.id) ?? [], place);
    missing.push(...read.missing);
    return read.facts;
  });
  const ofIncident = ofClip.get(undefined) ?? [];
  if (!ofIncident.some(({ row }) => row.action === 'incident.found'))
    missing.push('The chain does not say when the incident was found.');
  if (incident.syncedVersion < incident.version)
    missing.push('The service does not have the latest version of the incident yet.');
  return { incident: incidentFacts(incident, ofIncident), clips, missing };
}

/** Parses rows of the chain. */
export const noted = (rows: readonly AuditRow[]): readonly Noted[] =>
  rows
    .filter(({ detail }) => detail.startsWith('{'))
    .map((row) => ({ row, detail: detailSchema.parse(JSON.parse(row.detail)) }));

const iso = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();
/** File systems allow years that a `Date` cannot hold. */
function writtenAt({ mtimeNs }: ClipRow): string | null {
  const date = new Date(Number(BigInt(mtimeNs) / 1_000_000n));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
const at = ({ row }: Noted): string => new Date(row.at).toISOString();

function incidentFacts(incident: IncidentRow, own: readonly Noted[]): Manifest['incident'] {
  const { id, title, description, latitude, longitude } = incident;
  return {
    id,
    title,
    description,
    happenedAt: iso(incident.incidentAt),
    latitude,
    longitude,
    folder: incident.exportPath,
    foundAt: new Date(incident.createdAt).toISOString(),
    origins: parseOrigins(incident.sources),
    records: own
      .filter(({ row }) => row.action === 'record.written')
      .map((each) => ({
        row: each.row.sequence,
        at: at(each),
        version: each.detail.version ?? 0,
        requestIds: each.detail.requestIds,
      })),
    changes: own.flatMap(changeOf),
  };
}

/** The facts of one clip from its rows in the chain, and what is missing there: one sentence each. */
export function clipFacts(
  tables: Pick<Tables, 'multiparts' | 'thumbnails'>,
  clip: ClipRow,
  own: readonly Noted[],
  { number, picture }: Pick<ManifestClip, 'number' | 'picture'>,
): { readonly facts: ManifestClip; readonly missing: readonly string[] } {
  const { id, path, generation, state, sizeBytes, cameraId, cameraName, cameraDescription } = clip;
  const found = own.find(({ row }) => row.action === 'clip.found');
  const made = parseMade(tables.thumbnails.byClip(id)?.made ?? null);
  const facts: ManifestClip = {
    number,
    id,
    path,
    generation,
    state,
    sizeBytes,
    sha256: {
      found: found?.detail.foundSha256 ?? foundSumOf(clip),
      sent: state === 'uploaded' ? clip.sha256 : null,
      stated: clip.expectedSha256,
    },
    foundAt: found === undefined ? null : at(found),
    settledAt: found?.detail.settledAt ?? null,
    fileWrittenAt: writtenAt(clip),
    startedAt: iso(clip.startedAt),
    endedAt: iso(clip.endedAt),
    camera: { id: cameraId, name: cameraName, description: cameraDescription },
    origins: parseOrigins(clip.sources),
    sent: sentFacts(clip, own),
    changes: own.flatMap(changeOf),
    problem: state === 'uploaded' ? null : (parseFailure(clip.failure)?.message ?? null),
    picture,
    pictureNote:
      picture === null || made === undefined ? null : 'The agent made this thumbnail from the clip.',
  };
  return { facts, missing: missingOf(clip, own) };
}

/** The hash of the file when it was found, if the queue has that column. */
function foundSumOf(clip: object): string | null {
  const sum = 'foundSha256' in clip ? clip.foundSha256 : null;
  return typeof sum === 'string' ? sum : null;
}

function sentFacts(clip: ClipRow, own: readonly Noted[]): ManifestClip['sent'] {
  const sent = own.findLast(({ row }) => row.action === 'clip.sent');
  if (sent === undefined || clip.state !== 'uploaded' || clip.storageKey === null) return null;
  const { detail, row } = sent;
  return {
    row: row.sequence,
    at: at(sent),
    clockOffsetMs: detail.clockOffsetMs ?? null,
    startedAt: detail.startedAt ?? null,
    storageKey: clip.storageKey,
    name: clip.serviceName,
    etags: detail.etag === undefined ? detail.etags : [detail.etag],
    partSizeBytes: detail.partSizeBytes ?? null,
    partSha256: detail.partSha256,
    requestIds: detail.requestIds,
  };
}

const words: Readonly<Record<string, string>> = {
  'clip.changed': 'The file changed after it was found.',
  'clip.followed':
    'The file was renamed, moved, given a new date or replaced with an identical one; its bytes stayed the same.',
  'clip.returned': 'The file disappeared and came back.',
  'clip.retried': 'A person retried the upload.',
  'clip.cancelled': 'A person cancelled the upload.',
  'clip.failed': 'The upload failed.',
  'clip.leftOut': 'A person left the failed clip out.',
  'clip.takenBack': 'A person set the left-out clip back to failed.',
  'clip.described': "The clip's information was changed.",
  'incident.described': "The incident's information was changed.",
  // The chain only records that these were requested for an incident
  'uploads.retry': 'A person asked to retry the uploads.',
  'export.proved':
    'Two checks, at least an hour apart, found every clip listed in the service and the files unchanged.',
  'export.moved': "The export was moved out of the watched folder, as this desk's policy requires.",
  'export.deleted': "The export was deleted from the watched folder, as this desk's policy requires.",
  'uploads.pause': 'A person asked to pause the uploads.',
  'uploads.resume': 'A person asked to resume the uploads.',
  'uploads.cancel': 'A person asked to cancel the uploads.',
};

function changeOf(each: Noted): readonly NotedChange[] {
  const { row, detail } = each;
  const what = words[row.action];
  if (what === undefined) return [];
  const { before, after, from, code } = detail;
  return [
    {
      row: row.sequence,
      at: at(each),
      what: code === undefined ? what : what.replace(/\.$/, ` (${code}).`),
      account: row.account,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(from === undefined ? {} : { before: { path: from } }),
    },
  ];
}

function missingOf(clip: ClipRow, own: readonly Noted[]): readonly string[] {
  const name = visibleName(basename(clip.path));
  const sent = own.findLast(({ row }) => row.action === 'clip.sent');
  const found = own.find(({ row }) => row.action === 'clip.found')?.detail.foundSha256 ?? foundSumOf(clip);
  const differs =
    sent !== undefined && (sent.detail.sha256 !== clip.sha256 || sent.detail.storageKey !== clip.storageKey);
  const missing = [
    [clip.state === 'queued', 'has not been sent yet.'],
    [clip.state === 'failed', 'was not sent.'],
    [clip.state === 'uploaded' && sent === undefined, 'was sent, but the chain has no entry for it.'],
    [differs, 'has a hash or storage key in the queue that differs from the one in the chain.'],
    [
      found !== null && clip.sha256 !== null && found !== clip.sha256,
      'was sent with bytes that differ from those first found.',
    ],
    [
      clip.expectedSha256 !== null && clip.sha256 !== null && clip.expectedSha256 !== clip.sha256,
      'does not have the SHA-256 stated in the export.',
    ],
  ] as const;
  return missing.flatMap(([is, what]) => (is ? [`${name} ${what}`] : []));
}
