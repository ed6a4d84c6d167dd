import {
  type AuditReads,
  walkChain,
  type AuditRow,
  FIRST_HASH,
  notesTrim,
  rowText,
  sha256Of,
} from '../store/audit-rows.ts';
import type { DeskKeyRow } from '../store/desk-rows.ts';
import { isSignedBy, type DeskKey } from './desk-keys.ts';
import { z } from 'zod';

/** Rows that are checked between two pauses: a few milliseconds of work. */
const SLICE = 500;

/** The settings keep rows for at least a month; this allows for clocks that differ. Milliseconds. */
const KEPT_MS = 28 * 24 * 3_600_000;

/** A problem with a chain: where, and in words. */
export interface ChainFinding {
  /** Number of the first affected row; 0 if it is the whole chain. */
  readonly row: number;
  readonly text: string;
}

/** Result of a chain's check. */
export interface ChainState {
  /** Rows in the database. */
  readonly rows: number;
  /** Rows that were removed because of their age. */
  readonly removed: number;
  readonly head: { readonly sequence: number; readonly hash: string } | undefined;
  /** Published heads that the chain agrees with. */
  readonly agreeing: number;
  readonly findings: readonly ChainFinding[];
}

/** The head of a chain as published outside its database. */
export interface HeadStatement {
  readonly deskId: string;
  /** ID of the queue database: each has its own chain. */
  readonly chainId: string;
  /** Number of the newest row, and its hash. */
  readonly sequence: number;
  readonly hash: string;
  /** Fingerprint of the key that signed it. */
  readonly key: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** A published head as it was read, with its signature in base64. */
interface SignedStatement extends HeadStatement {
  readonly signature: string;
}

/** A published head as one line, which anybody can search the system log for. */
export function statementLine(head: HeadStatement, key: Pick<DeskKey, 'sign'>): string {
  const text = statementText(head);
  return `${text} sig=${key.sign(Buffer.from(text)).toString('base64')}`;
}

const statementText = ({ deskId, chainId, sequence, hash, key, at }: HeadStatement): string =>
  `vms-export-agent chain desk=${deskId} chain=${chainId} rows=${sequence} head=${hash} key=${key} at=${at}`;

const STATEMENT =
  /vms-export-agent chain desk=([0-9a-f-]{36}) chain=([0-9a-f-]{36}) rows=(\d{1,15}) head=([0-9a-f]{64}) key=([0-9a-f]{64}) at=([0-9TZ:.-]{20,24}) sig=([A-Za-z0-9+/=]{80,120})/g;

/** Finds the published heads in a text, whatever surrounds them. */
export function readStatements(text: string): readonly SignedStatement[] {
  return [...text.matchAll(STATEMENT)].map(
    ([, deskId = '', chainId = '', rows = '', hash = '', key = '', at = '', signature = '']) => ({
      deskId,
      chainId,
      sequence: Number(rows),
      hash,
      key,
      at,
      signature,
    }),
  );
}

/** Whether the key (PEM) signed the statement. */
const isGenuine = (statement: SignedStatement, publicKey: string): boolean =>
  isSignedBy(publicKey, Buffer.from(statementText(statement)), Buffer.from(statement.signature, 'base64'));

interface StatementDeps {
  readonly deskId: string;
  readonly chainId: string;
  readonly keys: readonly DeskKeyRow[];
  /** Heads published outside the database, from all places. */
  readonly statements: readonly SignedStatement[];
}

interface Deps extends StatementDeps {
  readonly reads: AuditReads;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Called between slices; rejects to stop the check. */
  readonly pause: () => Promise<unknown>;
}

/** Walks the whole chain and compares it with every published head that a key of this desk signed. */
export async function checkChain(deps: Deps): Promise<ChainState> {
  const { reads, chainId, now } = deps;
  const { genuine, strange } = sort(deps);
  // The same head from two places counts once; different ones for one row all count
  const own = [
    ...new Map(
      genuine
        .filter((each) => each.chainId === chainId)
        .map((each) => [`${each.sequence} ${each.hash}`, each]),
    ).values(),
  ];
  for (;;) {
    const ends = reads.ends();
    const walk = walkChain(ends);
    const removed = ends.anchor?.sequence ?? 0;
    const stated = Map.groupBy(own, ({ sequence }) => sequence);
    let different: SignedStatement | undefined;
    let head: AuditRow | undefined;
    let rows = 0;
    let agreeing = 0;
    let trimmedAt = Number.POSITIVE_INFINITY;
    for (let after = removed; ;) {
      const slice = reads.after(after, SLICE);
      if (slice.length > 0) walk.take(slice);
      for (const row of slice) {
        if (ends.anchor !== undefined && notesTrim(row, ends.anchor)) trimmedAt = row.at;
        for (const statement of stated.get(row.sequence) ?? []) {
          if (statement.hash === row.hash) agreeing += 1;
          else different ??= statement;
        }
      }
      rows += slice.length;
      head = slice.at(-1) ?? head;
      after = slice.at(-1)?.sequence ?? after;
      if (slice.length < SLICE) break;
      await deps.pause();
    }
    // Old rows were removed in the meantime
    if (reads.ends().anchor?.sequence !== ends.anchor?.sequence) continue;
    const broken = walk.end();
    const last = head?.sequence ?? removed;
    different ??= own
      .toSorted((one, other) => one.sequence - other.sequence)
      .find((each) => each.sequence > last);
    // A time in the future is forged, unless the clock was set back: then published heads have later times too
    const until = Math.min(trimmedAt, Math.max(now, ...own.map(timeOf)));
    const early = own.find((each) => each.sequence <= removed && timeOf(each) > until - KEPT_MS);
    return {
      rows,
      removed,
      head: head && { sequence: head.sequence, hash: head.hash },
      agreeing,
      findings: [
        ...(broken === undefined ? [] : [{ row: broken, text: changed(broken) }]),
        ...(broken !== undefined || different === undefined ? [] : [differs(different)]),
        ...(early === undefined ? [] : [tooEarly(early)]),
        ...(strange === undefined ? [] : [{ row: 0, text: strangeKey(strange) }]),
      ],
    };
  }
}

/** Published heads signed by this desk's keys, and one that is signed by a key this desk does not know. */
function sort({ statements, deskId, keys }: StatementDeps) {
  const ours = statements
    .filter((each) => each.deskId === deskId)
    .toSorted((one, other) => (one.at < other.at ? -1 : 1));
  const byFingerprint = new Map(keys.map((key) => [key.fingerprint, key.publicKey]));
  const genuine = ours.filter((each) => {
    const publicKey = byFingerprint.get(each.key);
    return publicKey !== undefined && isGenuine(each, publicKey);
  });
  const strange = ours.find((each) => !byFingerprint.has(each.key));
  return { genuine, strange };
}

/** The newest earlier chain of this desk, according to its published hashes; undefined if this is the first. */
export function chainBefore(deps: StatementDeps): SignedStatement | undefined {
  return sort(deps).genuine.findLast(({ chainId }) => chainId !== deps.chainId);
}

const changed = (row: number): string =>
  `The chain was altered from row ${row} onward: a row was changed or removed.`;

const differs = ({ sequence, at }: SignedStatement): ChainFinding => ({
  row: sequence,
  text: `The chain was cut off or rewritten: row ${sequence} is missing or differs from the one published outside the database at ${at}.`,
});

const timeOf = ({ at }: HeadStatement): number => Date.parse(at);

const tooEarly = ({ sequence, at }: SignedStatement): ChainFinding => ({
  row: sequence,
  text: `Rows of the chain were removed before they were a month old, among them row ${sequence}, whose hash was published outside the database at ${at}.`,
});

/** Finding: the database with this newest hash was replaced by another one. */
export const replacedBy = ({ sequence, at }: SignedStatement): ChainFinding => ({
  row: 0,
  text: `The queue database was replaced: the chain hash published at ${at} (row ${sequence}) belongs to another database.`,
});

const strangeKey = ({ key, at }: SignedStatement): string =>
  `A hash of this desk's chain was published at ${at} with a signing key that this desk does not know (${key.slice(0, 16)}): the key may have been deleted or the database replaced.`;

/** Rows that reveal nothing about another incident: they are in every pack in full. */
const OPEN_ACTIONS = /^(?:agent|audit|chain|key|lock|queue)\./;
/** Placeholder for an omitted field, in a line that any shell can read. */
const NOTHING = '-';

/** The rows of an incident, and the path through the chain from its first row to the head. */
interface ChainPath {
  /** The incident's rows, in full. */
  readonly rows: readonly AuditRow[];
  /**
   * The lines of chain.txt, each: number, hash before, hash, digest, and the row itself, or "-" for a row of others.
   */
  readonly lines: readonly string[];
}

/**
 * The shortest path through the chain from the first row about the incident to `head`, which is a `chain.anchored` row:
 * each such row names the previous one, so no rows between the two are needed.
 */
export function chainPath(
  reads: AuditReads,
  incidentId: string,
  clipIds: ReadonlySet<string>,
  head: AuditRow,
): ChainPath {
  const own = reads.ofIncident(incidentId);
  const first = own[0] ?? head;
  const anchored = reads.anchoredAfter(first.sequence).filter(({ sequence }) => sequence < head.sequence);
  const needed = [...own, head];
  const path = new Map<number, AuditRow>();
  const ownNumbers = new Set(own.map(({ sequence }) => sequence));
  let last = first;
  path.set(first.sequence, first);
  for (const next of needed) {
    const between = anchored.filter(({ sequence }) => sequence > last.sequence && sequence < next.sequence);
    const stops = [...between, next];
    const [door = next] = stops;
    const exit = between.at(-1) ?? last;
    for (const row of reads.between(last.sequence, door.sequence)) path.set(row.sequence, row);
    for (const row of between) path.set(row.sequence, row);
    for (const row of reads.between(exit.sequence, next.sequence)) path.set(row.sequence, row);
    last = next;
  }
  const rows = [...path.values()].toSorted((one, other) => one.sequence - other.sequence);
  const isAbout = (row: AuditRow): boolean => ownNumbers.has(row.sequence) || namesOneOf(row, clipIds);
  let before: AuditRow | undefined;
  const lines = rows.map((row) => {
    const hashBefore =
      before?.sequence === row.sequence - 1
        ? before.hash
        : (reads.rowAt(row.sequence - 1)?.hash ?? hashAt(reads, row));
    before = row;
    const text = rowText(row);
    const shown = isAbout(row) || OPEN_ACTIONS.test(row.action) ? text : NOTHING;
    return [
      row.sequence,
      hashBefore === FIRST_HASH ? NOTHING : hashBefore,
      row.hash,
      sha256Of(text),
      shown,
    ].join('\t');
  });
  return { rows: rows.filter(isAbout), lines };
}

/** The hash before the oldest remaining row. */
const hashAt = (reads: AuditReads, { sequence }: AuditRow): string => {
  const { anchor } = reads.ends();
  return anchor?.sequence === sequence - 1 ? anchor.hash : FIRST_HASH;
};

const namesSchema = z.object({ clipIds: z.array(z.string()).default([]) });

/** Whether a command about several clips names this incident's: it is shown only if all its clips are. */
function namesOneOf({ action, detail }: AuditRow, clipIds: ReadonlySet<string>): boolean {
  if (!action.startsWith('uploads.')) return false;
  const { clipIds: named } = namesSchema.parse(JSON.parse(detail));
  return named.length > 0 && named.every((id) => clipIds.has(id));
}
