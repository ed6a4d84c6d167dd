/** The invariants, by the numbers of the protocol. I8, the audit trail, is not checked here. */
export const invariants = {
  I1: 'every source is stored and listed by the incident of its folder',
  I2: 'each clip has exactly one object that counts',
  I3: 'stored bytes have the SHA-256 of their source',
  I4: 'each incident lists each clip exactly once, and no unknown one',
  I5: 'nothing is reported early: uploaded means stored, synced means listed',
  I6: 'no multipart upload with parts is left open',
  I7: 'the database is whole after every kill, and empty of work at the end',
  I9: 'what was acknowledged is not sent again',
  I10: 'no key and no signature in logs or database',
  I11: 'the history of each clip and incident says what its row says, without a gap',
  I12: 'an old database is whole after a kill in its migration, and is then brought up to date',
} as const;

export type Invariant = keyof typeof invariants;

/** The violations, in the order in which they were found. */
export interface Findings {
  add(invariant: Invariant, text: string): void;
  all(): readonly { readonly invariant: Invariant; readonly text: string }[];
  of(invariant: Invariant): readonly string[];
}

/** More of the same adds no information. */
const MOST_PER_INVARIANT = 20;

export function createFindings(): Findings {
  const found: { invariant: Invariant; text: string }[] = [];
  const of = (invariant: Invariant) =>
    found.filter((finding) => finding.invariant === invariant).map(({ text }) => text);
  return {
    add(invariant, text) {
      const known = of(invariant);
      if (known.length < MOST_PER_INVARIANT && !known.includes(text)) found.push({ invariant, text });
    },
    all: () => found,
    of,
  };
}
