import { createAuditRows } from './audit-rows.ts';
import { createClipPages } from './clip-pages.ts';
import { createClipRows } from './clip-rows.ts';
import { createDeskRows } from './desk-rows.ts';
import { createGrantRows } from './grant-rows.ts';
import { createHistoryRows } from './history-rows.ts';
import { createIncidentPages } from './incident-pages.ts';
import { createIncidentRows } from './incident-rows.ts';
import { createJobRows } from './job-rows.ts';
import { createKeptRows } from './kept-rows.ts';
import { createMultipartRows, createOrphanRows, createPartRows } from './multipart-rows.ts';
import { chainWrites } from './chained-writes.ts';
import { createDeskKeyRows } from './desk-key-rows.ts';
import type { WriteDb } from './open-db.ts';
import { createOutlinePages } from './outline-pages.ts';
import { createRootRows } from './root-rows.ts';
import { createSentRows } from './sent-rows.ts';
import { createRetentionRows } from './retention-rows.ts';
import { createSeenExportRows } from './seen-export-rows.ts';
import { createShiftReads } from './status-reads.ts';
import { createThumbnailRows } from './thumbnail-rows.ts';

/** Every table's statements, prepared once on one connection, and the one way to write several facts together. */
export function createTables(db: WriteDb) {
  const atEnd = new Map<string, () => void>();

  function runAtEnd(): void {
    for (const [key, work] of atEnd) {
      atEnd.delete(key);
      work();
    }
  }

  const audit = createAuditRows(db);
  const multiparts = createMultipartRows(db);
  const parts = createPartRows(db);
  const chained = chainWrites({
    audit,
    multiparts,
    parts,
    clips: createClipRows(db),
    history: createHistoryRows(db),
    incidents: createIncidentRows(db),
  });

  return {
    desk: createDeskRows(db),
    deskKeys: createDeskKeyRows(db),
    ...chained,
    thumbnails: createThumbnailRows(db),
    multiparts,
    grants: createGrantRows(db),
    parts,
    orphans: createOrphanRows(db),
    jobs: createJobRows(db),
    audit,
    sent: createSentRows(db),
    roots: createRootRows(db),
    kept: createKeptRows(db),
    retention: createRetentionRows(db),
    seenExports: createSeenExportRows(db),
    shifts: createShiftReads(db),
    clipPages: createClipPages(db),
    incidentPages: createIncidentPages(db),
    outlinePages: createOutlinePages(db),
    /** Facts that must agree: all or none, immediately locked for writing. */
    write<T>(work: () => T): T {
      // A part of another write
      if (db.inTransaction) return db.transaction(work)();
      const whole = db.transaction(() => {
        const value = work();
        runAtEnd();
        return value;
      });
      try {
        return whole.immediate();
      } finally {
        // Of a transaction that was rolled back
        atEnd.clear();
      }
    },
    /** Runs `work` at the end of the transaction under way: once, however often it is asked for with the same key. */
    beforeCommit(key: string, work: () => void): void {
      if (db.inTransaction) atEnd.set(key, work);
      else work();
    },
    /** Reads of one moment, whatever another connection writes meanwhile. */
    read: <T>(work: () => T): T => db.transaction(work).deferred(),
    /** Changes whenever another connection wrote, for example `vms-export-agent retry`. */
    dataVersion: () => Number(db.pragma('data_version', { simple: true })),
  };
}

/** Every table's statements. */
export type Tables = ReturnType<typeof createTables>;
