import { join } from 'node:path';
import { fsPromises } from '../files/plain-fs.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { ClipProof, proofCalls } from '../../../shared/ipc/calls/proof.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { clipFacts, gatherFacts, noted } from '../evidence/custody/gather-facts.ts';
import { makePacks, packedManifest, type PackDeps } from '../evidence/custody/make-packs.ts';
import type { FileSum } from '../files/file-sum.ts';
import { unknownId } from '../queue/retry-clips.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { Calls } from './call.ts';
import { readThumbnail, type ThumbnailDeps } from './clip-files.ts';

interface Deps extends ThumbnailDeps {
  /** Everything except what this file adds. */
  readonly packs: Omit<PackDeps, 'picture'>;
  readonly fileSum: FileSum;
}

/** Folder in the data directory where packs are saved. */
const PACKS_FOLDER = 'custody';

/** Creates the calls about proof of clips and incidents, and custody packs. */
export function createProofCalls(deps: Deps): Calls<keyof typeof proofCalls> {
  const { tables, dataDir, packs } = deps;
  return {
    'proof.ofClip': {
      handle({ clipId }) {
        const clip = tables.clips.byId(clipId);
        return clip === undefined ? err(unknownId(clipId)) : ok(proofOf(deps, clip));
      },
    },
    'proof.ofIncident': {
      handle({ incidentId }) {
        const incident = tables.incidents.byId(incidentId);
        if (incident === undefined) return err(unknownId(incidentId));
        const rows = tables.audit.ofIncident(incidentId);
        const made = rows.filter(({ action }) => action === 'custody.packed');
        return ok({
          missing: gatherFacts(tables, incident, rows, new Map()).missing,
          packs: made.map(({ at, detail }) => ({
            at: new Date(at).toISOString(),
            manifestSha256: packedManifest(detail),
          })),
        });
      },
    },
    'proof.checkFile': {
      handle: ({ clipId }, signal) => checkFile(deps, clipId, signal),
      audit: { asked: ({ clipId }) => ({ clipId }), done: ({ sha256, isSame }) => ({ sha256, isSame }) },
    },
    'proof.savePacks': {
      async handle({ incidentIds }, signal) {
        const place = join(dataDir, PACKS_FOLDER);
        await fsPromises.mkdir(place, { recursive: true, mode: 0o700 });
        const picture: PackDeps['picture'] = async (clipId, until) => {
          const image = await readThumbnail(deps, clipId, until);
          return image.ok ? image.value : undefined;
        };
        const made = await makePacks({ ...packs, picture }, incidentIds, place, signal);
        if (!made.ok) return made;
        return ok({
          packs: made.value.map(({ incidentId, folder, missing }) => ({ incidentId, folder, missing })),
        });
      },
      audit: { asked: ({ incidentIds }) => ({ incidents: incidentIds.length }) },
      changes: ['uploads'],
    },
  };
}

function proofOf({ tables }: Deps, clip: ClipRow): ClipProof {
  const rows = tables.audit.ofIncident(clip.incidentId).filter(({ detail }) => detail.includes(clip.id));
  const { facts, missing } = clipFacts(tables, clip, noted(rows), { number: 1, picture: null });
  const { sent } = facts;
  return {
    ...facts.sha256,
    missing,
    changes: facts.changes.map(({ at, what, account }) => ({ at, what, account })),
    ...(sent !== null && {
      receipt: {
        row: sent.row,
        at: sent.at,
        account: tables.audit.rowAt(sent.row)?.account ?? '',
        storageKey: sent.storageKey,
        etags: sent.etags.length,
        requestIds: sent.requestIds,
      },
    }),
  };
}

async function checkFile(
  { tables, fileSum }: Deps,
  clipId: string,
  signal: AbortSignal,
): Promise<Result<{ readonly sha256: string; readonly isSame?: boolean }, Failure>> {
  const clip = tables.clips.byId(clipId);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip === undefined || incident === undefined) return err(unknownId(clipId));
  const { rootPath, folder, folderGone } = incident;
  const source = { rootPath, folder, path: clip.path, version: clip, isFolderGone: folderGone === 1 };
  const sum = await fileSum(source, signal);
  if (!sum.ok) return sum;
  const rows = tables.audit.ofIncident(clip.incidentId).filter(({ detail }) => detail.includes(clip.id));
  const { sha256 } = clipFacts(tables, clip, noted(rows), { number: 1, picture: null }).facts;
  const known = sha256.sent ?? sha256.found;
  return ok({ sha256: sum.value, ...(known !== null && { isSame: known === sum.value }) });
}
