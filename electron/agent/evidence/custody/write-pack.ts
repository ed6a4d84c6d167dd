import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path/posix';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../../../../shared/lib/json-text.ts';
import { hasHiddenCharacters } from '../../../../shared/lib/visible-name.ts';
import { sha256Of } from '../../store/audit-rows.ts';
import type { DeskKey } from '../desk-keys.ts';
import { type Manifest, type ManifestClip, packFiles } from './manifest.ts';
import { reportPage } from './report-page.ts';
import { verifyPs1 } from './verify-ps1.ts';
import { verifyPy } from './verify-py.ts';
import { verifySh } from './verify-sh.ts';

/** What a pack is made of. */
export interface PackContent {
  readonly manifest: Omit<Manifest, 'files'>;
  readonly chainLines: readonly string[];
  /** Name in the pack, and bytes. */
  readonly pictures: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

interface Deps {
  readonly key: Pick<DeskKey, 'publicKey' | 'sign'>;
  /** Prints a page as PDF, where the host can; undefined when it could not. */
  readonly printPdf: ((htmlFile: string) => Promise<Uint8Array | undefined>) | undefined;
}

/** What was written. */
export interface WrittenPack {
  readonly folder: string;
  readonly manifestSha256: string;
  readonly hasPdf: boolean;
}

/** Only for whoever made it: names and times of evidence are in it. */
const FOLDER_RIGHTS = 0o700;
const FILE_RIGHTS = 0o600;

/**
 * Writes a pack into a new folder. It has its name only when it is whole: whatever ends it before leaves a folder whose
 * name ends in ".part". Rejects with the system's error.
 */
export async function writePack(folder: string, content: PackContent, deps: Deps): Promise<WrittenPack> {
  const building = `${folder}.part`;
  await rm(building, { recursive: true, force: true });
  await mkdir(join(building, 'pictures'), { recursive: true, mode: FOLDER_RIGHTS });
  const files = new Map<string, { readonly sha256: string; readonly sizeBytes: number }>();
  const write = async (name: string, bytes: string | Uint8Array, isListed = true): Promise<void> => {
    await writeFile(join(building, name), bytes);
    if (isListed) files.set(name, { sha256: sha256Of(bytes), sizeBytes: Buffer.byteLength(bytes) });
  };

  for (const { name, bytes } of content.pictures) await write(name, bytes);
  await write(packFiles.key, deps.key.publicKey);
  await write(packFiles.chain, linesOf(content.chainLines));
  await write(packFiles.clips, linesOf(content.manifest.clips.flatMap(clipLine)));
  await write(packFiles.report, reportPage(content.manifest));
  await write('verify.sh', verifySh);
  await write('verify.ps1', verifyPs1.replaceAll('\n', '\r\n'));
  await write('verify.py', verifyPy);
  const pdf = await deps.printPdf?.(join(building, packFiles.report));
  if (pdf !== undefined) await write(packFiles.pdf, pdf);
  await write(packFiles.sums, linesOf([...files].map(([name, { sha256 }]) => `${sha256}  ${name}`)));

  const manifest: Manifest = { ...content.manifest, files: Object.fromEntries(files) };
  const text = canonicalJson(manifest);
  await write(packFiles.manifest, text, false);
  await write(packFiles.signature, deps.key.sign(Buffer.from(text)), false);
  const manifestSha256 = sha256Of(text);
  await rename(building, folder);
  await syncFolder(dirname(folder)).catch(() => undefined);
  return { folder, manifestSha256, hasPdf: pdf !== undefined };
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** SHA-256, size, name with the service, and the original name, or "-" where no shell could compare it. */
function clipLine({ sha256, sizeBytes, sent, path }: ManifestClip): readonly string[] {
  if (sent === null || sha256.sent === null) return [];
  const name = basename(path);
  const isPlain = !hasHiddenCharacters(name) && name !== '-';
  return [[sha256.sent, sizeBytes, sent.name, isPlain ? name : '-'].join('\t')];
}

async function writeFile(file: string, bytes: string | Uint8Array): Promise<void> {
  await using handle = await open(file, 'wx', FILE_RIGHTS);
  await handle.writeFile(bytes);
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r');
  await handle.sync();
}
