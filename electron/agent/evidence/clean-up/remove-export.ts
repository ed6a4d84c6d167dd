/**
 * Removes one export from its watched folder, by deleting or moving it. A kill may come after any step: removal is then
 * resumed from the plan, which is stored before the first step. Anything that differs from the plan is not touched, and
 * nothing is removed unless its bytes are proved to be elsewhere: with the service, or in the copy.
 */
import { isAbsolute, sep } from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import type { FileVersion } from '../../core/settle/file-seen.ts';

/** A file of an export on the disk; `path` is inside the export, with slashes. */
export interface ExportFile extends FileVersion {
  readonly path: string;
}

/** A file whose content is known. */
export interface PlannedFile extends ExportFile {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** The plan for one export, stored before anything is done. */
export interface CleanUpPlan {
  readonly action: 'move' | 'delete';
  /** Absolute; where the export is moved, even if the policy changes later. */
  readonly target?: string | undefined;
  readonly files: readonly PlannedFile[];
}

/** Whether a path stays inside its export, whatever the queue contains. */
export const isPlainPath = (path: string): boolean =>
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !/[\0\\]/.test(name)) &&
  (sep === '/' || !/[:<>"|?*]/.test(path));

const planSchema = z.object({
  action: z.enum(['move', 'delete']),
  target: z.string().refine(isAbsolute).optional(),
  files: z.array(
    z.object({
      path: z.string().refine(isPlainPath),
      sizeBytes: z.number(),
      mtimeNs: z.string(),
      inode: z.string(),
      device: z.string(),
      sha256: z.string(),
    }),
  ),
});

/** Reads a stored plan. Plans of earlier versions name no target; the policy's is used for them. */
export function readPlan(text: string, target: string | undefined): CleanUpPlan {
  const plan = planSchema.parse(JSON.parse(text));
  return plan.action === 'delete' ? plan : { target, ...plan };
}

/** All files and folders in a folder, without the folder itself. */
export interface Listing {
  readonly files: readonly ExportFile[];
  readonly folders: readonly string[];
}

/** Why an export cannot be removed, as part of a sentence about it. `waits`: it may be different next time. */
export interface Obstacle {
  readonly reason: string;
  readonly waits: boolean;
}

type Step<T = void> = Promise<Result<T, Obstacle>>;

/**
 * The folders of one export: where it is, where its copy is made, and where it is to be moved. Each call is one step.
 */
export interface ExportDisk {
  /**
   * Undefined: no such folder. Refuses links, other disks below it, and anything that is neither a file nor a folder.
   */
  list(place: 'export' | 'copy' | 'target'): Step<Listing | undefined>;
  /** SHA-256 of a file, which must be exactly this one before and after it is read. */
  sum(place: 'export' | 'copy' | 'target', file: ExportFile): Step<string>;
  /** Removes a file of the export if it is still exactly this one with these bytes, checked right before. */
  removeFile(file: PlannedFile): Step;
  /** Removes empty folders of the export, and then its own folder; one that is not empty is an obstacle. */
  removeFolders(folders: readonly string[]): Step;
  /** Renames the export folder to the target, which must not exist. `other-disk`: it cannot be renamed there. */
  rename(): Step<'renamed' | 'other-disk'>;
  /** Renames the target back to the export folder. */
  renameBack(): Step;
  /** Copies a file of the export into the copy and syncs it, replacing any unfinished one. */
  copyFile(file: PlannedFile): Step;
  /** Renames the copy to the target, which must not exist. */
  finishCopy(): Step;
}

const refused = (reason: string): Result<never, Obstacle> => err({ reason, waits: false });
const later = (reason: string): Result<never, Obstacle> => err({ reason, waits: true });

/**
 * Hashes every file of an export for the plan; they must be the ones that were checked. `sent`: SHA-256 of what was
 * sent.
 */
export async function planRemoval(
  disk: ExportDisk,
  action: CleanUpPlan['action'],
  looked: readonly ExportFile[],
  sent: ReadonlyMap<string, string>,
): Promise<Result<CleanUpPlan, Obstacle>> {
  const before = await disk.list('export');
  if (!before.ok) return before;
  if (before.value === undefined) return refused('the folder is gone');
  const change = differenceOf(looked, before.value.files);
  if (change !== undefined) return refused(change);
  const files: PlannedFile[] = [];
  for (const file of before.value.files) {
    const sum = await disk.sum('export', file);
    if (!sum.ok) return sum;
    const expected = sent.get(file.path);
    if (expected !== undefined && expected !== sum.value)
      return refused(`${file.path} differs from what was sent`);
    if (expected === undefined && action === 'delete') return refused(`${file.path} was not sent`);
    files.push({ ...file, sha256: sum.value });
  }
  return ok({ action, files });
}

/** Carries out a plan from wherever it was interrupted. Ok: the export is out of its folder. */
export async function carryOut(disk: ExportDisk, plan: CleanUpPlan): Promise<Result<void, Obstacle>> {
  if (plan.action === 'delete') return removeSource(disk, plan);
  const target = await disk.list('target');
  if (!target.ok) return target;
  if (target.value === undefined) {
    const moved = await moveThere(disk, plan);
    if (!moved.ok || moved.value === 'renamed') return moved.ok ? ok(undefined) : moved;
  }
  const whole = await holdsAll(disk, 'target', plan);
  if (!whole.ok) return whole;
  return removeSource(disk, plan);
}

/** Whether the export is still complete in its folder and not also in its target, so that the plan can be replaced. */
export async function isUntouched(disk: ExportDisk, plan: CleanUpPlan): Promise<boolean> {
  const source = await sourceAsPlanned(disk, plan);
  return source.ok && (plan.action === 'delete' || !(await holdsAll(disk, 'target', plan)).ok);
}

/** Removes what is left of the export, file by file; if anything is not in the plan, nothing is removed. */
async function removeSource(disk: ExportDisk, plan: CleanUpPlan): Promise<Result<void, Obstacle>> {
  const listed = await disk.list('export');
  if (!listed.ok) return listed;
  if (listed.value === undefined) return ok(undefined);
  const planned = new Map(plan.files.map((file) => [file.path, file]));
  const left: PlannedFile[] = [];
  for (const file of listed.value.files) {
    const known = planned.get(file.path);
    if (known === undefined) return refused(`${file.path} was added to it`);
    if (!isSame(known, file)) return refused(`${file.path} changed`);
    left.push(known);
  }
  for (const file of left) {
    const removed = await disk.removeFile(file);
    if (!removed.ok) return removed;
  }
  // The deepest first
  return disk.removeFolders(
    listed.value.folders.toSorted((a, b) => b.split('/').length - a.split('/').length),
  );
}

async function moveThere(
  disk: ExportDisk,
  plan: CleanUpPlan,
): Promise<Result<'renamed' | 'copied', Obstacle>> {
  const before = await sourceAsPlanned(disk, plan);
  if (!before.ok) return before;
  const renamed = await disk.rename();
  if (!renamed.ok) return renamed;
  if (renamed.value === 'other-disk') return copyThere(disk, plan);
  const after = await disk.list('target');
  if (!after.ok) return after;
  const change = differenceOf(plan.files, after.value?.files ?? []);
  if (change === undefined) return ok('renamed');
  // Somebody wrote into it at that moment
  const back = await disk.renameBack();
  return back.ok ? refused(change) : back;
}

async function copyThere(disk: ExportDisk, plan: CleanUpPlan): Promise<Result<'copied', Obstacle>> {
  for (const file of plan.files) {
    const copied = await disk.copyFile(file);
    if (!copied.ok) return copied;
  }
  const whole = await holdsAll(disk, 'copy', plan);
  if (!whole.ok) return whole;
  const still = await sourceAsPlanned(disk, plan);
  if (!still.ok) return still;
  const finished = await disk.finishCopy();
  return finished.ok ? ok('copied') : finished;
}

async function sourceAsPlanned(disk: ExportDisk, { files }: CleanUpPlan): Promise<Result<void, Obstacle>> {
  const listed = await disk.list('export');
  if (!listed.ok) return listed;
  if (listed.value === undefined) return refused('the folder is gone');
  const change = differenceOf(files, listed.value.files);
  return change === undefined ? ok(undefined) : refused(change);
}

/** Whether a copy has exactly the planned files with their bytes; every file is read again. */
async function holdsAll(
  disk: ExportDisk,
  place: 'copy' | 'target',
  { files }: CleanUpPlan,
): Promise<Result<void, Obstacle>> {
  const listed = await disk.list(place);
  if (!listed.ok) return listed;
  const there = new Map(listed.value?.files.map((file) => [file.path, file]));
  if (there.size !== files.length) return later('its copy does not contain the same files');
  for (const { path, sha256, sizeBytes } of files) {
    const copy = there.get(path);
    if (copy?.sizeBytes !== sizeBytes) return later(`the copy of ${path} is missing or differs in size`);
    const sum = await disk.sum(place, copy);
    if (!sum.ok) return sum;
    if (sum.value !== sha256) return later(`the copy of ${path} differs from the original`);
  }
  return ok(undefined);
}

const isSame = (one: FileVersion, other: FileVersion): boolean =>
  one.sizeBytes === other.sizeBytes &&
  one.mtimeNs === other.mtimeNs &&
  one.inode === other.inode &&
  one.device === other.device;

/** How the files found differ from those expected; undefined if they do not. */
export function differenceOf(meant: readonly ExportFile[], found: readonly ExportFile[]): string | undefined {
  const known = new Map(meant.map((file) => [file.path, file]));
  for (const file of found) {
    const before = known.get(file.path);
    if (before === undefined) return `${file.path} was added to it`;
    if (!isSame(before, file)) return `${file.path} changed`;
    known.delete(file.path);
  }
  const [missing] = known.keys();
  return missing === undefined ? undefined : `${missing} is no longer in it`;
}
