import {
  MOST_ACCOUNTED_NAMES,
  type AccountedFile,
  type FileAccount,
  type FileClass,
} from '../../../../shared/domain/file-account.ts';
import type { FileSeen } from '../settle/file-seen.ts';
import type { ExportEvidence } from './described-export.ts';
import { recogniseExport } from './recognise-export.ts';

/** What needs a look first; clips and pictures have their own places. */
const named: readonly FileClass[] = ['unknown', 'program', 'waiting', 'companion', 'sidecar', 'system'];

/** What became of every file of an export, those that still change or are held back among them. */
export function accountOf(evidence: ExportEvidence): FileAccount {
  const files = accountedFiles(evidence);
  const byClass = Map.groupBy(files, (file) => file.class);
  return {
    counts: countFiles(files),
    named: named.flatMap((each) => byClass.get(each) ?? []).slice(0, MOST_ACCOUNTED_NAMES),
  };
}

/** How many files there are of each class. */
export function countFiles(files: readonly AccountedFile[]): FileAccount['counts'] {
  const count = (each: FileClass): number => files.filter((file) => file.class === each).length;
  return {
    clip: count('clip'),
    companion: count('companion'),
    picture: count('picture'),
    sidecar: count('sidecar'),
    program: count('program'),
    system: count('system'),
    waiting: count('waiting'),
    unknown: count('unknown'),
  };
}

/** Every file of an export with its class and the rule that put it there. */
export function accountedFiles({ recognised, unsettled = [] }: ExportEvidence): readonly AccountedFile[] {
  return [...recognised.accounts, ...recogniseExport(unsettled).accounts.map(stillWaiting)];
}

/** A clip, picture or report that has not settled; what is never sent stays what it is. */
function stillWaiting(file: AccountedFile): AccountedFile {
  const isFinal = file.class === 'program' || file.class === 'system' || file.class === 'unknown';
  return isFinal ? file : { ...file, class: 'waiting', why: 'still being written, or held back' };
}

/** The files of a snapshot that have not settled. */
export function unsettledOf(all: readonly FileSeen[], settled: readonly FileSeen[]): readonly FileSeen[] {
  const taken = new Set(settled.map(({ path }) => path));
  return all.filter(({ path }) => !taken.has(path));
}
