import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentEvents } from '../../electron/agent/events.ts';
import { createAuditTrail } from '../../electron/agent/evidence/audit-trail.ts';
import { createChainHeads } from '../../electron/agent/evidence/chain-heads.ts';
import { makePacks, type MadePack, type PackDeps } from '../../electron/agent/evidence/custody/make-packs.ts';
import { createDeskKeys, createKeyFileStore } from '../../electron/agent/evidence/desk-keys.ts';
import type { SigningKeyStore } from '../../electron/agent/ports.ts';
import { createFakeClock } from './fake-clock.ts';
import { clipRow, incidentRow, openQueue } from './queue-fixture.ts';

const DESK = '0f8fad5b-d9cb-469f-a165-70867728950e';
const CHAIN = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** An incident for `addIncident`: the names and contents of its clips. */
export interface PackedIncident {
  readonly id: string;
  readonly title?: string;
  readonly clips: Readonly<Record<string, string>>;
  /** Number of other rows of the desk between two clips. */
  readonly othersBetween?: number;
}

export const sumOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** A desk with a real queue and chain, whose clips were sent as `addIncident` says. */
export async function openPackDesk(more: Partial<PackDeps> = {}, keyStore?: SigningKeyStore) {
  const queue = await openQueue();
  const { tables } = queue;
  const clock = createFakeClock(Date.UTC(2026, 4, 1, 20));
  const logger = { info: () => undefined, warn: () => undefined };
  const trail = createAuditTrail({ rows: tables.audit, clock, logger });
  const lostKeys: string[] = [];
  const keys = createDeskKeys({
    store: keyStore ?? createKeyFileStore(queue.dir),
    tables,
    clock,
    onLost: (lost) => void lostKeys.push(lost),
  });
  const heads = createChainHeads({
    tables,
    trail,
    keys,
    clock,
    logger,
    events: new AgentEvents(),
    systemLog: undefined,
    dataDir: queue.dir,
    deskId: DESK,
    chainId: CHAIN,
    isReplacementTold: true,
    send: undefined,
  });
  const picture = await readFile(new URL('../fixtures/clips/gate-4-north.jpg', import.meta.url));
  const deps: PackDeps = {
    tables,
    keys,
    heads,
    clock,
    deskId: DESK,
    chainId: CHAIN,
    version: '0.1.0',
    clockOffsetMs: () => -1500,
    picture: async () => ({ mediaType: 'image/jpeg', base64: picture.toString('base64') }),
    ...more,
  };

  /** Adds an incident that was found, sent and recorded, with rows of other incidents in between. */
  function addIncident({ id, title = 'Gate 4', clips, othersBetween = 1 }: PackedIncident): void {
    const at = clock.now();
    const origins = { incidentAt: { source: 'folder name', confidence: 'medium' } };
    const row = { id, title, exportPath: `Export ${title}`, createdAt: at, sources: JSON.stringify(origins) };
    tables.incidents.insert(
      incidentRow({ ...row, incidentAt: at - 3_600_000, birthMs: at + tables.incidents.count() }),
    );
    tables.history.incident(id, { at, facts: { kind: 'queued' } });
    for (const [index, [path, text]] of Object.entries(clips).entries()) {
      const clipId = `${id}-clip-${index + 1}`;
      const camera = {
        cameraName: `Camera ${index + 1}`,
        startedAt: at - 1_800_000,
        endedAt: at - 1_740_000,
      };
      const startedAt = { source: 'file name', confidence: 'high' };
      const sources = JSON.stringify({ cameraName: { source: 'file name', confidence: 'low' }, startedAt });
      const serviceName = `stored-${index + 1}-${id}.mp4`;
      const size = { sizeBytes: Buffer.byteLength(text) };
      tables.clips.insert(
        clipRow({ id: clipId, incidentId: id, path, serviceName, ...camera, ...size, sources }),
      );
      tables.history.clip(clipId, { at, facts: { kind: 'queued', settledAt: new Date(at).toISOString() } });
      for (let other = 0; other < othersBetween; other += 1)
        trail.note('users.update', { state: 'asked', userId: String(other) });
      tables.clips.uploaded(clipId, `incidents/${id}/${serviceName}`, sumOf(text), at + 1000);
      tables.history.clip(clipId, {
        at: at + 1000,
        startedAt: at + 500,
        facts: {
          kind: 'uploaded',
          etag: 'e7a1',
          requestIds: [{ name: 'x-request-id', value: `r-${index}` }],
        },
      });
    }
    tables.history.incident(id, { at: at + 2000, facts: { kind: 'told', version: 1 } });
    tables.incidents.synced(id, at + 2000, 1, '{}');
  }

  return {
    ...queue,
    keys,
    /** Fingerprints of lost keys, as reported to the desk. */
    lostKeys,
    heads,
    trail,
    clock,
    addIncident,
    async pack(ids: readonly string[], place = join(queue.dir, 'packs')): Promise<readonly MadePack[]> {
      await mkdir(place, { recursive: true });
      const made = await makePacks(deps, ids, place, new AbortController().signal);
      if (!made.ok) throw new Error(JSON.stringify(made.error));
      clock.stepWallClock(1000);
      return made.value;
    },
    /** Writes copies of the clips to a folder, under names like those the service serves them with. */
    async copies({ id, clips }: PackedIncident, folder: string): Promise<void> {
      await mkdir(folder, { recursive: true });
      for (const [index, text] of Object.values(clips).entries())
        await writeFile(join(folder, `stored-${index + 1}-${id}.mp4`), text);
    },
  };
}
