import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { type Failure, FailureError } from '../../../../shared/domain/failure.ts';
import type { Thumbnail } from '../../../../shared/ipc/calls/uploads.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { idInName } from '../../core/records/derived-ids.ts';
import type { Clock } from '../../ports.ts';
import type { AuditRow } from '../../store/audit-rows.ts';
import type { AskTimeStamp } from '../../service/ask-once.ts';
import type { IncidentRow } from '../../store/incident-rows.ts';
import type { Tables } from '../../store/tables.ts';
import { systemErrorName } from '../../system-errors.ts';
import type { ChainHeads } from '../chain-heads.ts';
import type { DeskKey, DeskKeys } from '../desk-keys.ts';
import { chainPath } from '../check-chain.ts';
import { gatherFacts } from './gather-facts.ts';
import type { Manifest } from './manifest.ts';
import { type PackContent, type WrittenPack, writePack } from './write-pack.ts';

/** Dependencies of `makePacks`. */
export interface PackDeps {
  readonly tables: Tables;
  readonly keys: DeskKeys;
  readonly heads: Pick<ChainHeads, 'stateWith'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly deskId: string;
  readonly chainId: string;
  readonly version: string;
  /** How far the service's clock is ahead; undefined: not known. */
  readonly clockOffsetMs: () => number | undefined;
  /** The thumbnail of a clip; undefined if there is none, or it cannot be read now. */
  readonly picture: (clipId: string, signal: AbortSignal) => Promise<Thumbnail | undefined>;
  /** Asks a time-stamp service; undefined: none is set. */
  readonly timeStamp?: AskTimeStamp | undefined;
  readonly printPdf?: ((htmlFile: string) => Promise<Uint8Array | undefined>) | undefined;
}

/** A pack that was made. */
export interface MadePack extends WrittenPack {
  readonly incidentId: string;
  readonly title: string;
  readonly clips: number;
  readonly key: string;
}

/** Thumbnails read in parallel. */
const PICTURES_AT_ONCE = 8;

/**
 * Makes a pack for each incident, each in its own folder in `place`. Errors: NOT_FOUND before anything is written,
 * KEY_STORE, DISK_FULL, FILE_NO_ACCESS. Rejects with the signal's reason.
 */
export async function makePacks(
  deps: PackDeps,
  incidentIds: readonly string[],
  place: string,
  signal: AbortSignal,
): Promise<Result<readonly MadePack[], Failure>> {
  const { tables } = deps;
  const ids = [...new Set(incidentIds)];
  const unknown = ids.find((id) => tables.incidents.byId(id) === undefined);
  if (unknown !== undefined) return err(unknownIncident(unknown));
  try {
    const key = await deps.keys.current();
    const made: MadePack[] = [];
    for (const id of ids) made.push(await makePack(deps, id, { key, place }, signal));
    return ok(made);
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    const failure = writeFailure(place, error);
    if (failure === undefined) throw error;
    return err(failure);
  }
}

interface PackFrame {
  readonly key: DeskKey;
  readonly place: string;
}

async function makePack(
  deps: PackDeps,
  incidentId: string,
  { key, place }: PackFrame,
  signal: AbortSignal,
): Promise<MadePack> {
  const { tables, clock } = deps;
  const pictures = await readPictures(deps, incidentId, signal);
  const now = clock.now();
  const content = await deps.heads.stateWith(key, (head) => {
    const incident = tables.incidents.byId(incidentId);
    if (incident === undefined) throw new FailureError(unknownIncident(incidentId));
    return contentOf(deps, incident, { key, head, now, pictures });
  });
  const folder = join(place, `custody-${stampOf(now)}-${idInName(incidentId)}`);
  const { printPdf, timeStamp } = deps;
  const written = await writePack(folder, content, { key, printPdf, timeStamp }, signal);
  const { manifestSha256: manifest } = written;
  tables.audit.note(now, 'custody.packed', { incidentId, manifest, key: key.fingerprint });
  const { incident, clips } = content.manifest;
  const summary = { title: incident.title, clips: clips.length, key: key.fingerprint };
  return { incidentId, ...summary, ...written };
}

type Pictures = ReadonlyMap<string, { readonly name: string; readonly bytes: Uint8Array }>;

function contentOf(
  { tables, deskId, chainId, version, clockOffsetMs }: PackDeps,
  incident: IncidentRow,
  {
    key,
    head,
    now,
    pictures,
  }: Pick<PackFrame, 'key'> & { readonly head: AuditRow; readonly now: number; readonly pictures: Pictures },
): PackContent | undefined {
  const clipIds = new Set(tables.clips.ofIncident(incident.id).map(({ id }) => id));
  const { rows, lines } = chainPath(tables.audit, incident.id, clipIds, head);
  // Another process has written a row about the incident since
  if ((rows.at(-1)?.sequence ?? 0) > head.sequence) return undefined;
  const facts = gatherFacts(tables, incident, rows, pictures);
  const manifest: Omit<Manifest, 'files'> = {
    format: 'vms-export-agent custody pack',
    version: 1,
    packedAt: new Date(now).toISOString(),
    desk: {
      id: deskId,
      computer: hostname(),
      account: head.account,
      programVersion: version,
      // If the service was not asked in this run: the offset when the last clip was sent
      clockOffsetMs:
        clockOffsetMs() ?? facts.clips.findLast(({ sent }) => sent !== null)?.sent?.clockOffsetMs ?? null,
      key: key.fingerprint,
      keyChanges: keyChanges(tables),
    },
    chain: { id: chainId, head: { hash: head.hash, sequence: head.sequence }, lines: lines.length },
    previousPack: previousPack(tables),
    ...facts,
  };
  return { manifest, chainLines: lines, pictures: [...pictures.values()] };
}

const keyChanges = ({ deskKeys }: Tables): Manifest['desk']['keyChanges'] =>
  deskKeys.all().map(({ fingerprint, publicKey, since, statement, signature }) => ({
    key: fingerprint,
    publicKey,
    since: new Date(since).toISOString(),
    statement,
    signature,
  }));

const packedSchema = z.object({ manifest: z.string() });

/** A pack's manifest SHA-256, from the details of its `custody.packed` row. */
export const packedManifest = (detail: string): string => packedSchema.parse(JSON.parse(detail)).manifest;

function previousPack({ audit }: Tables): Manifest['previousPack'] {
  const last = audit.lastPacked();
  if (last === undefined) return null;
  return { manifestSha256: packedManifest(last.detail), packedAt: new Date(last.at).toISOString() };
}

async function readPictures(
  { tables, picture }: PackDeps,
  incidentId: string,
  signal: AbortSignal,
): Promise<Pictures> {
  const clips = tables.clips.ofIncident(incidentId);
  const pictures = new Map<string, { name: string; bytes: Uint8Array }>();
  for (let at = 0; at < clips.length; at += PICTURES_AT_ONCE) {
    const found = await Promise.all(
      clips.slice(at, at + PICTURES_AT_ONCE).map(async ({ id }) => [id, await picture(id, signal)] as const),
    );
    for (const [index, [id, image]] of found.entries()) {
      if (image === undefined) continue;
      const name = `pictures/${String(at + index + 1).padStart(5, '0')}.${endings[image.mediaType]}`;
      pictures.set(id, { name, bytes: Buffer.from(image.base64, 'base64') });
    }
    signal.throwIfAborted();
  }
  return pictures;
}

const endings: Readonly<Record<Thumbnail['mediaType'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** "20260501-193005-123", in UTC: names sort by time. */
const stampOf = (now: number): string =>
  new Date(now).toISOString().slice(0, 23).replaceAll(/[:-]/g, '').replace('T', '-').replace('.', '-');

const unknownIncident = (id: string): Failure => ({
  code: 'NOT_FOUND',
  message: `No incident in the queue has the ID ${visibleName(id)}.`,
  advice:
    'It may have been removed: finished incidents leave the queue after a while (retention.incidentsDays). Refresh the list, or run "status" to see the IDs.',
  retryable: false,
});

function writeFailure(place: string, error: unknown): Failure | undefined {
  const reason = systemErrorName(error) ?? '';
  const message = `The custody pack could not be written to ${visibleName(place)} (${reason}).`;
  if (reason === 'ENOSPC' || reason === 'EDQUOT')
    return {
      code: 'DISK_FULL',
      message,
      advice: 'Free some space there. In a terminal, you can also choose another folder (--out).',
      retryable: true,
    };
  if (reason === '') return undefined;
  const advice =
    'Check that the folder exists and can be written to. In a terminal, you can also choose another one (--out).';
  return { code: 'FILE_NO_ACCESS', message, advice, retryable: true };
}
