import {
  countClasses,
  MOST_ACCOUNTED_NAMES,
  otherClasses,
  type AccountedFile,
  type FileAccount,
} from '../../../../shared/domain/file-account.ts';
import { asEvidence, type FileSeen, type KnownFile, type SettledFile } from '../settle/file-seen.ts';
import type { ExportEvidence, ExtraFileRules } from './described-export.ts';
import { baseName, isArchive, splitName, whyIgnored } from './file-kinds.ts';
import { isHashList } from './hash-list.ts';
import type { OwnPattern } from './own-patterns.ts';
import { isIncidentSidecar } from './read-sidecar.ts';
import { isClipFile, placeOf, recogniseExport } from './recognise-export.ts';
import { isPlayerPart, isProjectPart } from './vendor-projects.ts';

/** A clip whose bytes were sent with another clip (with `waiting`: will be), and how that is known. */
export interface AccountedCopy extends Pick<AccountedFile, 'why'> {
  readonly class: 'copy' | 'waiting';
}

/** What became of every file of an export, including files that are still changing or held back. `copies`: by path. */
export function accountOf(evidence: ExportEvidence, copies: ReadonlyMap<string, AccountedCopy>): FileAccount {
  const files = accountedFiles(evidence).map((file): AccountedFile => {
    const copy = file.class === 'clip' ? copies.get(file.path) : undefined;
    return copy === undefined ? file : { ...file, ...copy };
  });
  const byClass = Map.groupBy(files, (file) => file.class);
  return {
    counts: countClasses(files),
    named: otherClasses.flatMap((each) => byClass.get(each) ?? []).slice(0, MOST_ACCOUNTED_NAMES),
  };
}

/** Every file of an export with its class and the reason for it. */
export function accountedFiles({
  recognised,
  unsettled = [],
  litter = [],
}: ExportEvidence): readonly AccountedFile[] {
  return [
    ...recognised.accounts,
    ...recogniseExport(unsettled).accounts.map(stillWaiting),
    ...litter.map((path): AccountedFile => ({ path, class: 'system', why: whyIgnored(path) })),
  ];
}

/** A clip, picture or report that has not settled becomes waiting; files that are never sent keep their class. */
function stillWaiting(file: AccountedFile): AccountedFile {
  const isFinal = file.class === 'program' || file.class === 'system' || file.class === 'unknown';
  return isFinal ? file : { ...file, class: 'waiting', why: 'may not be finished yet, or is held back' };
}

/** The files of a snapshot that have not settled. */
export function unsettledOf(all: readonly FileSeen[], settled: readonly FileSeen[]): readonly FileSeen[] {
  const taken = new Set(settled.map(({ path }) => path));
  return all.filter(({ path }) => !taken.has(path));
}

/** Whether a file is sent although it is not a clip. Archives never are: their contents are not known. */
export function isExtraFile(
  file: FileSeen,
  { kinds, programs, patterns = [] }: ExtraFileRules,
  exportPath = '',
): boolean {
  const { path } = file;
  if (isHashList(path) || isArchive(path) || file.content === 'archive' || isIncidentSidecar(path))
    return false;
  const place = placeOf(file);
  if (place.kind === 'skipped')
    return place.class === 'program'
      ? kinds.has('selfPlaying') && !isPlayerPart(path) && programs?.has(path) === true
      : kinds.has('unknown') || fitsOne(patterns, `${exportPath}/${path}`);
  if (place.kind === 'companion') return kinds.has(isProjectPart(path) ? 'projects' : 'companions');
  return place.kind === 'document' && kinds.has('reports');
}

function fitsOne(patterns: readonly OwnPattern[], path: string): boolean {
  const { extension } = splitName(baseName(path));
  return patterns.some(({ extensions, read }) => extensions.has(extension) && read(path) !== undefined);
}

/** What a person sends from a folder besides its clips, in addition to what its settings say. */
export function extraFileRules(
  settings: ExtraFileRules | undefined,
  {
    asEvidence: isAsEvidence = false,
    programs = [],
  }: { readonly asEvidence?: boolean; readonly programs?: readonly string[] },
): ExtraFileRules {
  const kinds = new Set(settings?.kinds);
  if (isAsEvidence) for (const kind of ['unknown', 'projects'] as const) kinds.add(kind);
  return { ...settings, kinds, programs: new Set(programs) };
}

/** A file in the queue as the first look at its folder finds it: a clip, whatever its name says. */
export function knownFile(
  path: string,
  { sizeBytes, mtimeNs, ctimeNs, inode, device, isNative }: KnownFile,
): SettledFile {
  const version = { sizeBytes, mtimeNs, inode, device, ...(ctimeNs != null && { ctimeNs }) };
  const file = { kind: 'file', links: 1, path, ...version } as const;
  return isClipFile(file) ? file : asEvidence(file, isNative === true);
}
