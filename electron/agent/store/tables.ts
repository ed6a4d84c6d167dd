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
import type { WriteDb } from './open-db.ts';
import { createOutlinePages } from './outline-pages.ts';
import { createRootRows } from './root-rows.ts';
import { createSentRows } from './sent-rows.ts';
import { createRetentionRows } from './retention-rows.ts';
import { createSeenExportRows } from './seen-export-rows.ts';
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

  return {
    desk: createDeskRows(db),
    incidents: createIncidentRows(db),
    clips: createClipRows(db),
    thumbnails: createThumbnailRows(db),
    multiparts: createMultipartRows(db),
    grants: createGrantRows(db),
    parts: createPartRows(db),
    orphans: createOrphanRows(db),
    jobs: createJobRows(db),
    history: createHistoryRows(db),
    audit: createAuditRows(db),
    sent: createSentRows(db),
    roots: createRootRows(db),
    kept: createKeptRows(db),
    retention: createRetentionRows(db),
    seenExports: createSeenExportRows(db),
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
