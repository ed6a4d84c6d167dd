import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { ClipRow } from '../db/clip-rows.ts';
import { DATABASE_FILE } from '../db/database-file.ts';
import { parseFailure } from '../db/json-columns.ts';
import { openDb } from '../db/open-db.ts';
import { createTables, type Tables } from '../db/tables.ts';

/** What is to be tried again: every failed clip that can succeed, or one clip, or the clips of one incident. */
export type RetryRequest = { readonly kind: 'all' } | { readonly kind: 'id'; readonly id: string };

/** How many went back to the queue, and how many were left because trying again cannot help. */
export interface RetryResult {
  readonly retried: number;
  readonly skipped: number;
}

/** A file that was gone may be back; other final failures stay until the file or the service changes. */
function canSucceed(row: ClipRow): boolean {
  const failure = parseFailure(row.failure);
  return failure === undefined || failure.retryable || failure.code === 'FILE_GONE';
}

/**
 * Puts failed clips back to the queue; a clip named by its own id is tried whatever its reason. The service
 * goes on listing it as failed until it succeeds. Errors: NOT_FOUND when nothing has that id.
 */
export function retryClipsIn(
  tables: Tables,
  request: RetryRequest,
  nowMs: number,
): Result<RetryResult, Failure> {
  return tables.write(() => {
    const found = request.kind === 'all' ? tables.clips.failedAll() : clipsById(tables, request.id);
    if (found === undefined) return err(unknownId(request.kind === 'id' ? request.id : ''));
    const failed = found.filter((row) => row.state === 'failed');
    const isOneClip = request.kind === 'id' && tables.clips.byId(request.id) !== undefined;
    const chosen = isOneClip ? failed : failed.filter(canSucceed);
    for (const row of chosen) requeue(tables, row, nowMs);
    if (request.kind === 'all') tables.jobs.reviveRecords();
    else reviveRecordsOf(tables, tables.clips.byId(request.id)?.incidentId ?? request.id);
    return ok({ retried: chosen.length, skipped: failed.length - chosen.length });
  });
}

function clipsById(tables: Tables, id: string): readonly ClipRow[] | undefined {
  const clip = tables.clips.byId(id);
  if (clip !== undefined) return [clip];
  return tables.incidents.byId(id) === undefined ? undefined : tables.clips.ofIncident(id);
}

function reviveRecordsOf(tables: Tables, incidentId: string): void {
  tables.jobs.revive('check-incident', incidentId);
  tables.jobs.revive('put-incident', incidentId);
}

function requeue(tables: Tables, row: ClipRow, nowMs: number): void {
  tables.clips.requeue(row.id);
  tables.history.clip(row.id, { at: nowMs, facts: { kind: 'retried' } });
  tables.jobs.revive('send-clip', row.id);
  tables.jobs.revive('make-thumbnail', row.id);
  if (tables.thumbnails.requeue(row.id) > 0) tables.jobs.revive('send-thumbnail', row.id);
}

/** The failure NOT_FOUND for an id. */
export function unknownId(id: string): Failure {
  return {
    code: 'NOT_FOUND',
    message: `Nothing in the queue has the id ${id}.`,
    advice: 'The command status lists the ids.',
    retryable: false,
  };
}

/** `retryClipsIn` for a data directory; a running agent notices within a second. */
export async function retryClips(
  dataDir: string,
  request: RetryRequest,
  nowMs: number,
): Promise<Result<RetryResult, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) {
    return request.kind === 'all' ? ok({ retried: 0, skipped: 0 }) : err(unknownId(request.id));
  }
  const opened = openDb(file);
  if (!opened.ok) return opened;
  try {
    return retryClipsIn(createTables(opened.value), request, nowMs);
  } finally {
    opened.value.close();
  }
}
