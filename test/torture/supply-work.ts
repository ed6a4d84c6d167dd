import type { Dice } from './dice.ts';
import type { Need } from './kill-moment.ts';
import type { QueueSnapshot } from './queue-snapshot.ts';
import { HUGE_BYTES, type SourceClip, type SourceTree } from './source-tree.ts';

/** Number of queued clips below which new ones are put into the folders: no life should find nothing to do. */
const FEWEST_QUEUED = 6;
const SMALL_CLIPS_FROM = 2;
const SMALL_CLIPS_TO = 6;
/** Probability that new clips join an existing incident. */
const JOIN_SHARE = 0.5;
/** Probability that a large clip is added without being needed. */
const LARGE_SHARE = 0.15;
/** Most bytes of sources at the end, so that a long run does not fill the disk; storage has them a second time. */
const MOST_SOURCE_BYTES = 3_000_000_000;
/** Most bytes that may be there from the first round on. */
const FIRST_SOURCE_BYTES = 150_000_000;

interface Yard {
  readonly dice: Dice;
  readonly tree: SourceTree;
  readonly snapshot: QueueSnapshot | undefined;
}

/**
 * Adds clips and folders as the next moment and an emptying queue require. `share` is the part of the run that is over.
 */
export function supplyWork(yard: Yard, need: Need, share: number): void {
  const { dice, tree } = yard;
  const waiting = clipsWaiting(yard);
  if (need === 'huge-clip') return addHugeClip(yard, waiting);
  if (need === 'new-folder' || waiting.length < FEWEST_QUEUED) addSmallClips(yard, need);
  const mostBytes = FIRST_SOURCE_BYTES + share * (MOST_SOURCE_BYTES - FIRST_SOURCE_BYTES);
  const isWanted = need === 'large-clip' ? !waiting.some((clip) => clip.isLarge) : dice.chance(LARGE_SHARE);
  if (isWanted && tree.totalBytes() < mostBytes) tree.addLarge(aFolder(yard));
}

/** Few, because each takes a dozen lives, and its bytes are on disk twice. */
const MOST_HUGE_CLIPS = 6;

function addHugeClip({ tree, dice }: Yard, waiting: readonly SourceClip[]): void {
  const isHuge = ({ sizeBytes }: SourceClip): boolean => sizeBytes >= HUGE_BYTES;
  if (waiting.some(isHuge) || tree.clips().filter(isHuge).length >= MOST_HUGE_CLIPS) return;
  tree.addHuge(tree.folders().length === 0 ? tree.addFolder(1) : dice.pick(tree.folders()));
}

function addSmallClips(yard: Yard, need: Need): void {
  const { dice, tree } = yard;
  const count = dice.between(SMALL_CLIPS_FROM, SMALL_CLIPS_TO);
  if (need === 'new-folder' || tree.folders().length === 0 || !dice.chance(JOIN_SHARE)) tree.addFolder(count);
  else for (let index = 0; index < count; index += 1) tree.addSmall(aFolder(yard));
}

function aFolder({ dice, tree }: Yard): string {
  return dice.pick(tree.folders());
}

/** Sources that the agent has not uploaded yet, according to its database. */
function clipsWaiting({ tree, snapshot }: Yard): readonly SourceClip[] {
  const rows = snapshot?.clips.filter(({ state }) => state === 'uploaded') ?? [];
  const done = new Set(rows.map(({ folder, name }) => `${folder}/${name}`));
  return tree.clips().filter(({ folder, name }) => !done.has(`${folder}/${name}`));
}

/** Share of changes to a clip that is already stored, which gets a second generation. */
const AFTER_UPLOAD_SHARE = 0.25;

/** Share of changes to a clip that has parts in storage, if there is one. */
const BEGUN_SHARE = 0.7;

function clipsBegun({ tree, snapshot }: Yard): readonly SourceClip[] {
  const open = new Set(snapshot?.openUploads);
  const rows = snapshot?.clips.filter(({ id }) => open.has(id)) ?? [];
  const names = new Set(rows.map(({ folder, name }) => `${folder}/${name}`));
  return tree.clips().filter(({ folder, name }) => names.has(`${folder}/${name}`));
}

/** Truncates or appends to a clip, preferably one whose multipart upload is open. Returns false when there is none. */
export function changeOneClip(yard: Yard): boolean {
  const { dice, tree } = yard;
  const waiting = clipsWaiting(yard);
  const begun = clipsBegun(yard);
  const wanted = begun.length > 0 && dice.chance(BEGUN_SHARE) ? begun : waiting;
  const candidates = wanted.length === 0 || dice.chance(AFTER_UPLOAD_SHARE) ? tree.clips() : wanted;
  if (candidates.length === 0) return false;
  tree.change(dice.pick(candidates));
  return true;
}
