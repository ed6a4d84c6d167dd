import { afterEach, beforeEach } from 'vitest';
import { describeExport } from '../../electron/agent/core/naming/describe-export.ts';
import type { ExportEvidence } from '../../electron/agent/core/naming/described-export.ts';
import type { FileSeen } from '../../electron/agent/core/settle/file-seen.ts';
import type { ClipRow } from '../../electron/agent/store/clip-rows.ts';
import { createThumbnailJobs, createIncidentQueue } from '../../electron/agent/queue/incident-jobs.ts';
import { storeExport, type StoreChange } from '../../electron/agent/intake/store-export.ts';
import { evidence } from './export-evidence.ts';
import { createFakeClock } from './fake-clock.ts';
import { openQueue, type QueueFixture } from './queue-fixture.ts';

/** Size from which a clip counts as large here, bytes. */
export const THRESHOLD_BYTES = 100_000_000;
export const FOLDER = 'Fight at gate 4';

/** One export that is stored into a real queue again and again, created afresh for each test. */
export class ExportDesk {
  readonly clock = createFakeClock();
  readonly queue: QueueFixture;
  /** Whether the host makes thumbnails. */
  hasMaker = false;

  constructor(queue: QueueFixture) {
    this.queue = queue;
  }

  get tables(): QueueFixture['tables'] {
    return this.queue.tables;
  }

  /** Stores the export as these files describe it. */
  take(files: readonly (string | FileSeen)[], more: Partial<ExportEvidence> = {}): StoreChange {
    const known = evidence(FOLDER, files, more);
    const described = describeExport(known);
    return this.tables.write(() => storeExport(this.parts(), 'incident-1', known, described));
  }

  parts() {
    const { tables, clock } = this;
    const queue = createIncidentQueue(tables, clock, 'progressive');
    const thumbnailJobs = createThumbnailJobs(tables, clock, this.hasMaker);
    return { tables, clock, queue, thumbnailJobs, multipartThresholdBytes: THRESHOLD_BYTES };
  }

  clips(): readonly ClipRow[] {
    return this.tables.clips.ofIncident('incident-1');
  }

  /** The clip's newest generation. */
  clip(path: string): ClipRow {
    const row = this.clips().findLast((each) => each.path === path);
    if (row === undefined) throw new Error(`No clip ${path}`);
    return row;
  }

  incident() {
    return this.tables.incidents.byId('incident-1');
  }

  job(path: string) {
    return this.tables.jobs.of('send-clip', this.clip(path).id);
  }

  thumbnailJob(path: string) {
    return this.tables.jobs.of('send-thumbnail', this.clip(path).id);
  }

  putJob() {
    return this.tables.jobs.of('put-incident', 'incident-1');
  }

  /** Marks the incident as checked with the service and synced, and every waiting clip as uploaded. */
  settleAll(): void {
    const { incidents, clips, jobs } = this.tables;
    const now = this.clock.now();
    incidents.checked('incident-1', now, null, null);
    jobs.removeOf('check-incident', 'incident-1');
    for (const row of this.clips()) {
      if (row.state !== 'queued') continue;
      clips.uploaded(row.id, `key-${row.path}-${row.generation}`, 'sum', now);
      jobs.removeOf('send-clip', row.id);
    }
    jobs.removeOf('put-incident', 'incident-1');
    incidents.synced('incident-1', now, this.incident()?.version ?? 0, '{}');
  }

  /** All rows that an export has in any table. */
  everything() {
    const all = (table: string) =>
      this.queue.db.prepare<[], object>(`SELECT * FROM ${table} ORDER BY 1`).all();
    const rest = ['incidents', 'thumbnails', 'jobs', 'orphans'].map((table) => [table, all(table)]);
    return { clips: all('clips'), rest };
  }
}

/** Creates a desk for each test of the calling file; the returned function gives the running test's desk. */
export function useExportDesk(): () => ExportDesk {
  let desk: ExportDesk | undefined;
  const current = (): ExportDesk => {
    if (desk === undefined) throw new Error('No test is running');
    return desk;
  };
  beforeEach(async () => {
    desk = new ExportDesk(await openQueue());
  });
  afterEach(() => current().queue.close());
  return current;
}
