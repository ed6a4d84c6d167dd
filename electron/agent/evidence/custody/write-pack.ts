import { basename } from 'node:path/posix';
import { dirname, join } from 'node:path';
import { fsPromises } from '../../files/plain-fs.ts';
import { canonicalJson } from '../../../../shared/lib/json-text.ts';
import { hasHiddenCharacters } from '../../../../shared/lib/visible-name.ts';
import { sha256Of } from '../../store/audit-rows.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import type { AskTimeStamp } from '../../service/ask-once.ts';
import type { DeskKey } from '../desk-keys.ts';
import { type Manifest, type ManifestClip, packFiles } from './manifest.ts';
import { reportPage } from './report-page.ts';
import { readTimeStamp, timeStampQuery, type TimeStamp } from './time-stamp.ts';
import { verifyPs1, verifySh } from './verify-shells.ts';
import { verifyPy } from './verify-py.ts';

/** The content of a pack. */
export interface PackContent {
  readonly manifest: Omit<Manifest, 'files'>;
  readonly chainLines: readonly string[];
  /** Name in the pack, and bytes. */
  readonly pictures: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

interface Deps {
  readonly key: Pick<DeskKey, 'publicKey' | 'sign'>;
  /** Prints a page as PDF, if the host can; resolves with undefined if it could not. */
  readonly printPdf: ((htmlFile: string) => Promise<Uint8Array | undefined>) | undefined;
  /** Asks a time-stamp service; undefined: none is set. */
  readonly timeStamp: AskTimeStamp | undefined;
}

/** A pack that was written. */
export interface WrittenPack {
  readonly folder: string;
  readonly manifestSha256: string;
  readonly hasPdf: boolean;
  /** Missing facts, and what went wrong while the pack was written. */
  readonly missing: readonly string[];
  readonly timeStamp: TimeStamp | undefined;
}

/** Readable only by the account that made it: it contains names and times of evidence. */
const FOLDER_RIGHTS = 0o700;
const FILE_RIGHTS = 0o600;

/**
 * Writes a pack into a new folder, which gets its name only once it is complete: an interrupted one leaves a folder
 * whose name ends in ".part". Rejects with the system's error.
 */
export async function writePack(
  folder: string,
  content: PackContent,
  deps: Deps,
  signal: AbortSignal,
): Promise<WrittenPack> {
  const building = `${folder}.part`;
  await fsPromises.rm(building, { recursive: true, force: true });
  await fsPromises.mkdir(join(building, 'pictures'), { recursive: true, mode: FOLDER_RIGHTS });
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
  const sums = linesOf([...files].map(([name, { sha256 }]) => `${sha256}  ${name}`));
  await write(packFiles.sums, sums);
  const stamp = await stampOf(sums, deps.timeStamp, signal);
  if (stamp?.ok === true) await write(packFiles.timeStamp, stamp.value.bytes);

  const manifest = manifestOf(content.manifest, files, stamp);
  const text = canonicalJson(manifest);
  await write(packFiles.manifest, text, false);
  await write(packFiles.signature, deps.key.sign(Buffer.from(text)), false);
  const manifestSha256 = sha256Of(text);
  await fsPromises.rename(building, folder);
  await syncFolder(dirname(folder)).catch(() => undefined);
  const timeStamp = stamp?.ok === true ? stamp.value.stamp : undefined;
  return { folder, manifestSha256, hasPdf: pdf !== undefined, missing: manifest.missing, timeStamp };
}

type Stamped = Result<{ readonly stamp: TimeStamp; readonly bytes: Uint8Array }, string>;

/** A verified time-stamp, or a sentence that says why there is none. There is no second attempt. */
async function stampOf(
  sums: string,
  ask: AskTimeStamp | undefined,
  signal: AbortSignal,
): Promise<Stamped | undefined> {
  if (ask === undefined) return undefined;
  const bytes = Buffer.from(sums);
  const query = await timeStampQuery(bytes);
  const answer = await ask(query.bytes, signal);
  if (!answer.ok) return err(`The pack has no time-stamp. ${answer.error}`);
  const stamp = await readTimeStamp(answer.value, bytes, query.nonce);
  if (stamp.ok) return ok({ stamp: stamp.value, bytes: answer.value });
  return err(
    `The pack has no time-stamp. The time-stamp service's response was not accepted: ${stamp.error}.`,
  );
}

function manifestOf(
  facts: PackContent['manifest'],
  files: ReadonlyMap<string, { readonly sha256: string; readonly sizeBytes: number }>,
  stamp: Stamped | undefined,
): Manifest {
  const all = { ...facts, files: Object.fromEntries(files) };
  if (stamp === undefined) return all;
  if (stamp.ok) return { ...all, timeStamp: { ...stamp.value.stamp } };
  return { ...all, timeStamp: null, missing: [...facts.missing, stamp.error] };
}

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** SHA-256, size, name in the service, and the original name, or "-" if a shell could not compare it. */
function clipLine({ sha256, sizeBytes, sent, path }: ManifestClip): readonly string[] {
  if (sent === null || sha256.sent === null) return [];
  const name = basename(path);
  const isPlain = !hasHiddenCharacters(name) && name !== '-';
  return [[sha256.sent, sizeBytes, sent.name, isPlain ? name : '-'].join('\t')];
}

async function writeFile(file: string, bytes: string | Uint8Array): Promise<void> {
  await using handle = await fsPromises.open(file, 'wx', FILE_RIGHTS);
  await handle.writeFile(bytes);
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await fsPromises.open(folder, 'r');
  await handle.sync();
}
