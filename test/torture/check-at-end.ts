import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Simulator } from '../simulator/index.ts';
import { checkIncidents } from './check-incidents.ts';
import { checkObjects, type ObjectCounts } from './check-objects.ts';
import type { Findings } from './findings.ts';
import type { Journal } from './journal.ts';
import type { ObjectDigests } from './object-digests.ts';
import type { QueueSnapshot } from './queue-snapshot.ts';
import { PART_BYTES, type SourceTree } from './source-tree.ts';

export interface EndFacts {
  readonly simulator: Simulator;
  readonly tree: SourceTree;
  readonly snapshot: QueueSnapshot;
  readonly journal: Journal;
  readonly digests: ObjectDigests;
  readonly kills: number;
  /** Most parts that are sent in parallel. */
  readonly parallelParts: number;
  readonly mayRepeatUploads: boolean;
}

/** Checks everything that must hold once the queue has settled. */
export async function checkAtEnd(facts: EndFacts, findings: Findings): Promise<ObjectCounts> {
  const stored = await facts.digests.all();
  checkIncidents(facts, stored, findings);
  const counts = checkObjects(facts, stored, findings);
  const emptyUploads = await checkOpenUploads(facts, findings);
  checkQueue(facts.snapshot, findings);
  checkBytesAgain(facts, findings);
  return { ...counts, emptyUploads };
}

/**
 * Nobody knows of an upload whose "create" was never answered; it has no bytes, and a store's lifecycle rule removes
 * it.
 */
async function checkOpenUploads(
  { simulator, journal, kills }: EndFacts,
  findings: Findings,
): Promise<number> {
  const open = await simulator.openUploads();
  for (const { key, parts } of open) {
    if (parts.length > 0) findings.add('I6', `the upload of ${key} is open with ${parts.length} parts`);
  }
  const empty = open.filter(({ parts }) => parts.length === 0).length;
  const most = journal.createsWithoutAnswer + kills;
  if (empty > most)
    findings.add('I6', `${empty} uploads are open and empty, ${most} answers can have been lost`);
  return empty;
}

function checkQueue(snapshot: QueueSnapshot, findings: Findings): void {
  if (snapshot.integrity !== 'ok') findings.add('I7', `integrity_check at the end: ${snapshot.integrity}`);
  // A record that others write too is checked again half a minute after its PUT
  for (const { kind, state, subject } of snapshot.jobs.filter((job) => job.kind !== 'confirm-record'))
    findings.add('I7', `a job is left: ${kind} of ${subject}, ${state}`);
  for (const { folder, name, state, failure } of snapshot.clips) {
    if (state === 'queued' || state === 'failed')
      findings.add('I1', `${folder}/${name} ended as ${state}: ${failure}`);
  }
  for (const { folder, version, syncedVersion } of snapshot.incidents) {
    if (syncedVersion < version)
      findings.add('I7', `${folder} has version ${version}, the service ${syncedVersion}`);
  }
  if (snapshot.openUploads.length > 0)
    findings.add('I6', `${snapshot.openUploads.length} uploads are open in the database`);
  if (snapshot.orphansNotEnded > 0)
    findings.add('I6', `${snapshot.orphansNotEnded} orphaned uploads were never ended`);
}

function checkBytesAgain({ journal, kills, parallelParts }: EndFacts, findings: Findings): void {
  const most = kills * parallelParts * PART_BYTES + journal.partBytesFaulted;
  if (journal.partBytesAgain > most) {
    findings.add('I9', `${journal.partBytesAgain} bytes of parts were sent again, at most ${most} may be`);
  }
}

/** A signature as a signed URL carries it; a redacted one has no digits. */
const SIGNATURE = /X-Amz-Signature=[0-9a-f]{16}/i;

/** Looks for the key and for signatures in everything that the agent wrote. */
export function checkSecrets(folders: readonly string[], key: string, findings: Findings): void {
  for (const file of folders.flatMap(filesBelow)) {
    const text = readFileSync(file, 'latin1');
    if (text.includes(key)) findings.add('I10', `the key stands in ${file}`);
    if (SIGNATURE.test(text)) findings.add('I10', `the signature of a URL stands in ${file}`);
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
