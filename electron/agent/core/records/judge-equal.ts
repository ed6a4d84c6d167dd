/**
 * Decides what happens to files that the queue already has, as equal bytes or as the very same file
 * (service.md gap 12): equal bytes are never sent twice, and the record follows the file.
 */

/**
 * Where the export of a known incident is, as seen from the folder being queued. `here`: it is this folder. `left`: it
 * is no longer where it was, or that place is no longer watched. `stays`: it is, or may be, still there.
 */
export type Standing = 'here' | 'left' | 'stays';

/** A clip in the queue that a file equals. */
export interface EqualClip {
  readonly clipId: string;
  readonly incidentId: string;
  /** Relative to its export. */
  readonly path: string;
  /** False: the same file by inode, size and time, whose bytes have not been sent yet. */
  readonly isSent: boolean;
}

/** A file that is new in its export or has changed. */
export interface JudgedFile {
  readonly path: string;
  readonly equal: readonly EqualClip[];
  /** A clip elsewhere with the same bytes, which has yet to be sent. */
  readonly waitsFor?: EqualClip | undefined;
}

/** The facts by which a folder is judged. */
export interface EqualFacts {
  /** If the folder is not an incident yet: all its clips. */
  readonly files: readonly JudgedFile[];
  /** The incident that the folder already is, if any. */
  readonly incidentId: string | undefined;
  /** Paths of everything in the folder, including other files. */
  readonly present: ReadonlySet<string>;
  standing(incidentId: string): Standing;
  /** Whether the folder was created at the same time as the incident's, and so is the same one under another name. */
  isSameFolder(incidentId: string): boolean;
  /** How many clips of the incident have been sent. */
  sentCount(incidentId: string): number;
}

/**
 * The verdict on one file. `same`: it is that clip, whose path and version are updated. `copy`: that clip is elsewhere
 * and stays as it is; the file is neither sent nor listed. `waits`: it will be a copy of that clip once that is sent,
 * and is sent itself if that cannot be. A file without a verdict is sent.
 */
export interface ClipVerdict {
  readonly kind: 'same' | 'copy' | 'waits';
  readonly clipId: string;
  readonly incidentId: string;
}

/**
 * `copy`: the folder contains only what was sent with that incident (undefined: with several), and is not an incident
 * of its own. `waits`: the same, but some of it has yet to be sent there.
 */
export type ExportVerdict =
  | { readonly kind: 'copy' | 'waits'; readonly incidentId: string | undefined }
  | {
      readonly kind: 'store';
      /** The incident that this folder is, and that was elsewhere before. */
      readonly follow?: string;
      readonly clips: ReadonlyMap<string, ClipVerdict>;
    };

/** Judges a folder. Pure: the same facts give the same verdict after a kill. */
export function judgeEqual(facts: EqualFacts): ExportVerdict {
  if (facts.incidentId !== undefined) return { kind: 'store', clips: judgeClips(facts, facts.incidentId) };
  const matches = countMatches(facts.files);
  const follow = [...matches].find(([id, count]) => isMoved(facts, id, count))?.[0];
  if (follow !== undefined) return { kind: 'store', follow, clips: judgeClips(facts, follow) };
  const clips = judgeClips(facts, undefined);
  const verdicts = facts.files.flatMap(({ path }) => clips.get(path) ?? []);
  const [first, ...others] = facts.files.map(holdersOf);
  if (first === undefined || verdicts.length < facts.files.length) return { kind: 'store', clips };
  const isWaiting = verdicts.some(({ kind }) => kind === 'waits');
  const ofAll = first.find(({ incidentId: id }) =>
    others.every((holders) => holders.some(({ incidentId }) => incidentId === id)),
  );
  return { kind: isWaiting ? 'waits' : 'copy', incidentId: ofAll?.incidentId };
}

/** The clips that a file may be reported as a copy of. */
function holdersOf({ equal, waitsFor }: JudgedFile): readonly EqualClip[] {
  const sent = equal.filter(({ isSent }) => isSent);
  return sent.length > 0 || waitsFor === undefined ? sent : [waitsFor];
}

/** How many of the files each incident has, most first. */
function countMatches(files: readonly JudgedFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { equal } of files) {
    for (const id of new Set(equal.map(({ incidentId }) => incidentId)))
      counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([, one], [, other]) => other - one));
}

/**
 * Whether the incident has moved here: its folder is gone, and this one contains only its clips, or at least half of
 * what was sent. That half must also be most of this folder unless it is the same one: exports of two incidents may
 * share a clip if a recorder's blocks are longer than both.
 */
function isMoved(facts: EqualFacts, incidentId: string, count: number): boolean {
  if (facts.standing(incidentId) !== 'left') return false;
  if (count === facts.files.length) return true;
  const isMostOfSent = count * 2 >= Math.max(1, facts.sentCount(incidentId));
  return isMostOfSent && (count * 2 > facts.files.length || facts.isSameFolder(incidentId));
}

function judgeClips(facts: EqualFacts, incidentId: string | undefined): ReadonlyMap<string, ClipVerdict> {
  const verdicts = new Map<string, ClipVerdict>();
  const taken = new Set<string>();
  const isOurs = (clip: EqualClip): boolean => clip.incidentId === incidentId && !taken.has(clip.clipId);
  const judge = (file: JudgedFile, clip: EqualClip | undefined): void => {
    if (clip === undefined) return;
    taken.add(clip.clipId);
    verdicts.set(file.path, { kind: 'same', clipId: clip.clipId, incidentId: clip.incidentId });
  };
  // Each at its own path first, so that a clip is not mistaken for a copy of itself
  for (const file of facts.files)
    judge(
      file,
      file.equal.find((clip) => isOurs(clip) && clip.path === file.path),
    );
  const judged = new Set(facts.files.map(({ path }) => path));
  const isVacated = ({ path }: EqualClip): boolean => !facts.present.has(path) || judged.has(path);
  const rest = facts.files.filter(({ path }) => !verdicts.has(path));
  for (const file of rest)
    judge(
      file,
      file.equal.find((clip) => isOurs(clip) && isVacated(clip)),
    );
  for (const file of rest) {
    const { path } = file;
    const [of] = holdersOf(file);
    if (verdicts.has(path) || of === undefined) continue;
    const { clipId, incidentId: other, isSent } = of;
    verdicts.set(path, { kind: isSent ? 'copy' : 'waits', clipId, incidentId: other });
  }
  return verdicts;
}

/** Timestamps that are cut to two seconds and shifted by whole hours, as on FAT, still count as equal; nanoseconds. */
const STEP_NS = 2_000_000_000n;
const HOUR_NS = 3_600_000_000_000n;
const MOST_HOURS = 24n;

/** Whether two modification times (nanoseconds as decimal text) may be those of one file on two file systems. */
export function isSameTime(one: string, other: string): boolean {
  const difference = BigInt(one) - BigInt(other);
  const distance = difference < 0n ? -difference : difference;
  const rest = distance % HOUR_NS;
  return distance <= MOST_HOURS * HOUR_NS + STEP_NS && (rest <= STEP_NS || rest >= HOUR_NS - STEP_NS);
}
