import { type AuditReads, walkChain, type AuditRow } from '../store/audit-rows.ts';
import type { DeskKeyRow } from '../store/desk-rows.ts';
import { isGenuine, type SignedStatement } from './head-statements.ts';

/** Rows that are looked at between two pauses: some milliseconds. */
const SLICE = 500;

/** What is wrong with a chain: where, and in words. */
export interface ChainFinding {
  /** Number of the first row that is concerned; 0 where it is the whole chain. */
  readonly row: number;
  readonly text: string;
}

/** How a chain was found. */
export interface ChainState {
  /** Rows that are there. */
  readonly rows: number;
  /** Rows that were removed by age. */
  readonly removed: number;
  readonly head: { readonly sequence: number; readonly hash: string } | undefined;
  /** Statements outside of the database with which it agrees. */
  readonly agreeing: number;
  readonly findings: readonly ChainFinding[];
}

interface StatementDeps {
  readonly deskId: string;
  readonly chainId: string;
  readonly keys: readonly DeskKeyRow[];
  /** What was stated outside of the database, from all places. */
  readonly statements: readonly SignedStatement[];
}

interface Deps extends StatementDeps {
  readonly reads: AuditReads;
  /** Called between slices; rejects to end the check. */
  readonly pause: () => Promise<unknown>;
}

/** Walks the whole chain and compares it with every statement about it that a key of this desk signed. */
export async function checkChain(deps: Deps): Promise<ChainState> {
  const { reads, chainId } = deps;
  const { genuine, strange } = sort(deps);
  const own = genuine.filter((each) => each.chainId === chainId);
  for (;;) {
    const ends = reads.ends();
    const walk = walkChain(ends);
    const removed = ends.anchor?.sequence ?? 0;
    const stated = new Map(own.map((each) => [each.sequence, each]));
    let different: SignedStatement | undefined;
    let head: AuditRow | undefined;
    let rows = 0;
    let agreeing = 0;
    for (let after = removed; ;) {
      const slice = reads.after(after, SLICE);
      if (slice.length > 0) walk.take(slice);
      for (const row of slice) {
        const said = stated.get(row.sequence);
        if (said === undefined) continue;
        if (said.hash === row.hash) agreeing += 1;
        else different ??= said;
      }
      rows += slice.length;
      head = slice.at(-1) ?? head;
      after = slice.at(-1)?.sequence ?? after;
      if (slice.length < SLICE) break;
      await deps.pause();
    }
    // Old rows left meanwhile
    if (reads.ends().anchor?.sequence !== ends.anchor?.sequence) continue;
    const broken = walk.end();
    const last = head?.sequence ?? removed;
    different ??= own
      .toSorted((one, other) => one.sequence - other.sequence)
      .find((each) => each.sequence > last);
    return {
      rows,
      removed,
      head: head && { sequence: head.sequence, hash: head.hash },
      agreeing,
      findings: [
        ...(broken === undefined ? [] : [{ row: broken, text: changed(broken) }]),
        ...(broken !== undefined || different === undefined ? [] : [differs(different)]),
        ...(strange === undefined ? [] : [{ row: 0, text: strangeKey(strange) }]),
      ],
    };
  }
}

/** What keys of this desk signed, and one that a key signed which this desk does not know. */
function sort({ statements, deskId, keys }: StatementDeps) {
  const ours = statements.filter((each) => each.deskId === deskId);
  const byFingerprint = new Map(keys.map((key) => [key.fingerprint, key.publicKey]));
  const genuine = ours.filter((each) => {
    const publicKey = byFingerprint.get(each.key);
    return publicKey !== undefined && isGenuine(each, publicKey);
  });
  const strange = ours.find((each) => !byFingerprint.has(each.key));
  return { genuine, strange };
}

/** The newest chain of this desk before this one, as its statements tell; undefined: this is the first. */
export function chainBefore(deps: StatementDeps): SignedStatement | undefined {
  return sort(deps).genuine.findLast(({ chainId }) => chainId !== deps.chainId);
}

const changed = (row: number): string =>
  `The chain is not as it was written, from row ${row} on: a row was changed or removed.`;

const differs = ({ sequence, at }: SignedStatement): ChainFinding => ({
  row: sequence,
  text: `The chain was cut off or rewritten: row ${sequence} is not the one that was published outside the database at ${at}.`,
});

const strangeKey = ({ key, at }: SignedStatement): string =>
  `The head of this desk's chain was published at ${at} with a signing key that this desk does not know (${key.slice(0, 16)}): its key was deleted or its database replaced.`;
