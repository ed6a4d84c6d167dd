import type { WireIncident, WireVideo } from '../../../shared/service/incident.ts';
import type { Clock, Logger } from '../ports.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { Circuits } from './circuits.ts';
import { orphanUpload } from './orphan-uploads.ts';
import type { IncidentQueue } from './incident-jobs.ts';
import { type JobOutcome, notBegun, serviceOutcome, type Step } from './outcome.ts';

/** What adopting clips that the service lists needs. */
export interface ListedDeps {
  readonly tables: Tables;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info'>;
  /** Other desks may send clips of the same incidents (service.md gap 11). */
  readonly isShared?: boolean;
}

/**
 * Adopts clips that the service lists under our IDs: an earlier life of this queue sent them, or another desk of the
 * site. A waiting clip is not sent any more; of one that both sent at once the listed object counts. What is on the
 * line now, and not among `mine`, is left to end normally. Call inside a transaction; safe to run twice.
 */
export function adoptListed(
  deps: ListedDeps,
  incidentId: string,
  { uploaded_videos: videos }: Pick<WireIncident, 'uploaded_videos'>,
  mine: ReadonlySet<string> = new Set(),
): void {
  for (const video of videos ?? []) adopt(deps, incidentId, video, mine);
}

function adopt(
  deps: ListedDeps,
  incidentId: string,
  { id, storage_key: storageKey, storage_thumbnail_key: thumbnailKey }: WireVideo,
  mine: ReadonlySet<string>,
): void {
  const { tables, clock, logger, isShared = false } = deps;
  if (typeof id !== 'string') return;
  const clip = tables.clips.byId(id);
  // Without a key nobody could get the clip from storage
  if (clip?.incidentId !== incidentId || typeof storageKey !== 'string' || storageKey === '') return;
  const isSentByBoth = isShared && clip.state === 'uploaded' && clip.storageKey !== storageKey;
  if (clip.state !== 'queued' && !isSentByBoth) return;
  if (!mine.has(id) && tables.jobs.of('send-clip', id)?.state === 'leased') return;
  const now = clock.now();
  orphanUpload(deps, incidentId, id, 'the service already has the clip');
  tables.clips.uploaded(id, storageKey, clip.sha256, clip.uploadedAt ?? now);
  tables.history.clip(id, { at: now, facts: { kind: 'known', storageKey } });
  if (!mine.has(id)) tables.jobs.removeOf('send-clip', id);
  if (typeof thumbnailKey === 'string') {
    // A thumbnail from the export already has a row: one without was made here, before the database was lost
    tables.thumbnails.known(id, thumbnailKey);
    tables.thumbnails.uploaded(id, thumbnailKey, null);
    tables.jobs.removeOf('send-thumbnail', id);
  }
  logger.info('The service already has this clip; it is not sent again', { clip: id });
}

/** Asks, right before clips are sent, what other desks of the site have sent meanwhile. */
export interface SiteCheck {
  /** The calls that it makes. */
  readonly steps: readonly Step[];
  /**
   * Adopts those of the jobs' clips that are listed. Returns the outcome of the jobs if the service cannot be asked.
   */
  before(jobs: readonly JobRow[], signal: AbortSignal): Promise<JobOutcome | undefined>;
}

/** What asking before sending needs. */
export interface SiteDeps extends ListedDeps {
  readonly api: Pick<VmsIncidents, 'get'>;
  readonly circuits: Circuits;
  readonly queue: Pick<IncidentQueue, 'arm'>;
}

/** Creates the site check; a desk without a site asks nothing. */
export function createSiteCheck(deps: SiteDeps): SiteCheck {
  const { tables, api, circuits } = deps;
  return {
    steps: deps.isShared === true ? ['get'] : [],
    async before(jobs, signal) {
      const [first] = jobs;
      if (deps.isShared !== true || first === undefined) return undefined;
      if (!circuits.mayCall('get', first.subject)) return notBegun;
      const found = await api.get(first.incidentId, signal);
      if (!found.ok && found.error.status !== 404) {
        const outcome = serviceOutcome('get', found.error, signal);
        return outcome.kind === 'refused' && jobs.length > 1 ? { ...outcome, isShared: true } : outcome;
      }
      circuits.succeeded('get', first.subject);
      const mine = new Set(jobs.map(({ subject }) => subject));
      if (!found.ok) return undefined;
      tables.write(() => {
        adoptListed(deps, first.incidentId, found.value, mine);
        deps.queue.arm(first.incidentId);
      });
      return undefined;
    },
  };
}
