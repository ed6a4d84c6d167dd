import { join, sep } from 'node:path';
import { fsPromises } from '../../files/plain-fs.ts';
import { z } from 'zod';
import { canonicalJson } from '../../../../shared/lib/json-text.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { FIRST_HASH, linkHash, sha256Of } from '../../store/audit-rows.ts';
import { fingerprintOf, isChangeSigned, isSignedBy } from '../desk-keys.ts';
import { readTimeStamp } from './time-stamp.ts';
import { packFiles, unlisted } from './manifest.ts';
import { copyDifferences, listFiles, sumOf } from './verify-copies.ts';

const sum = z.string().regex(/^[0-9a-f]{64}$/);

/** The parts of a manifest that are read; the signature covers the rest as well. */
const manifestSchema = z.looseObject({
  format: z.literal('vms-export-agent custody pack'),
  version: z.literal(1),
  packedAt: z.string(),
  desk: z.looseObject({
    id: z.string(),
    key: sum,
    keyChanges: z.array(
      z.looseObject({
        key: sum,
        publicKey: z.string(),
        statement: z.string().nullable(),
        signature: z.string().nullable(),
      }),
    ),
  }),
  chain: z.looseObject({ id: z.string(), head: z.object({ hash: sum, sequence: z.int() }), lines: z.int() }),
  incident: z.looseObject({ id: z.string(), title: z.string() }),
  timeStamp: z.object({ at: z.string(), by: z.string() }).nullish(),
  clips: z.array(
    z.looseObject({
      number: z.int(),
      id: z.string(),
      path: z.string(),
      sizeBytes: z.number(),
      sha256: z.looseObject({ sent: sum.nullable() }),
      sent: z.looseObject({ row: z.int(), storageKey: z.string(), name: z.string() }).nullable(),
    }),
  ),
  files: z.record(z.string(), z.object({ sha256: sum, sizeBytes: z.int() })),
});

/** The parts of a manifest that are compared. */
export type ReadManifest = z.infer<typeof manifestSchema>;

/** Result of a pack's check. */
export interface PackCheck {
  /** One sentence each; empty: everything matches. */
  readonly differences: readonly string[];
  /** Undefined when it cannot be read. */
  readonly manifest: ReadManifest | undefined;
  /** Fingerprint of the pack's key; undefined when there is none. */
  readonly key: string | undefined;
}

interface PackToCheck {
  readonly folder: string;
  /** Fingerprints of trusted keys; empty: nobody said whose signature it should be. */
  readonly trusted: readonly string[];
  /** Copies of clips: files, and folders of them. */
  readonly copies: readonly string[];
}

/** Checks a pack: signature, key, every file, the chain, and copies of its clips. Rejects only for bugs. */
export async function verifyPack({ folder, trusted, copies }: PackToCheck): Promise<PackCheck> {
  const read = (name: string): Promise<Buffer | undefined> =>
    readPlain(join(folder, name)).catch(() => undefined);
  const [text, signature, pem] = await Promise.all(
    [packFiles.manifest, packFiles.signature, packFiles.key].map(read),
  );
  const missing = [
    [packFiles.manifest, text],
    [packFiles.signature, signature],
    [packFiles.key, pem],
  ].flatMap(([name, bytes]) => (bytes ? [] : [`${String(name)} is missing or cannot be read.`]));
  if (text === undefined || signature === undefined || pem === undefined)
    return { differences: missing, manifest: undefined, key: undefined };
  const key = keyOf(pem);
  const manifest = readManifest(text);
  const changes = typeof manifest === 'string' ? [] : manifest.desk.keyChanges;
  const signed = signatureDifferences(text, signature, pem, {
    key,
    trusted: withSuccessors(trusted, changes),
  });
  if (typeof manifest === 'string') return { differences: [...signed, manifest], manifest: undefined, key };
  const differences = [
    ...signed,
    ...(manifest.desk.key === key ? [] : ['The key named in the manifest is not the key in the pack.']),
    ...(await fileDifferences(folder, manifest)),
    ...(await timeStampDifferences(manifest, await read(packFiles.timeStamp), await read(packFiles.sums))),
    ...chainDifferences((await read(packFiles.chain))?.toString('utf8') ?? '', manifest),
    ...(await copyDifferences(manifest.clips, copies)),
  ];
  return { differences, manifest, key };
}

/** Packs come from anywhere: reading a pipe would never end, and a link leads out of the pack. */
async function readPlain(file: string): Promise<Buffer | undefined> {
  const facts = await fsPromises.lstat(file);
  return facts.isFile() ? fsPromises.readFile(file) : undefined;
}

/** Adds the keys that a trusted key signed as its replacement. */
function withSuccessors(
  trusted: readonly string[],
  changes: ReadManifest['desk']['keyChanges'],
): readonly string[] {
  const all = [...trusted];
  const rows = changes.map(({ key: fingerprint, ...others }) => ({ ...others, fingerprint, since: 0 }));
  for (const row of rows) {
    // Not always the row before: a renewal may have failed in between
    const isVouched = rows.some(
      (before) =>
        all.includes(before.fingerprint) &&
        keyOf(Buffer.from(before.publicKey)) === before.fingerprint &&
        isChangeSigned(before, row),
    );
    if (isVouched) all.push(row.fingerprint);
  }
  return all;
}

function keyOf(pem: Buffer): string | undefined {
  try {
    return fingerprintOf(pem.toString('utf8'));
  } catch {
    return undefined;
  }
}

function signatureDifferences(
  text: Buffer,
  signature: Buffer,
  pem: Buffer,
  { key, trusted }: { readonly key: string | undefined; readonly trusted: readonly string[] },
): readonly string[] {
  const differences = isSignedBy(pem.toString('utf8'), text, signature)
    ? []
    : ['The signature does not match: manifest.json, manifest.sig or key.pem was changed.'];
  if (trusted.length === 0)
    return [
      ...differences,
      key === undefined
        ? 'No fingerprint was given, and key.pem cannot be read, so it is not known whose signature this is.'
        : `No fingerprint was given, so it is not known whose signature this is. Ask the desk for the fingerprint of its key and compare it with ${key}.`,
    ];
  if (key !== undefined && trusted.includes(key)) return differences;
  return [
    ...differences,
    `The pack is not signed with a trusted key: ${key === undefined ? 'key.pem cannot be read' : `the fingerprint of its key is ${key}`}.`,
  ];
}

/** The manifest, or what is wrong with it. */
function readManifest(text: Buffer): ReadManifest | string {
  try {
    const value = z.json().parse(JSON.parse(text.toString('utf8')));
    const manifest = manifestSchema.safeParse(value);
    if (!manifest.success) return 'manifest.json is not a custody pack manifest that this version can read.';
    if (canonicalJson(value) !== text.toString('utf8'))
      return 'manifest.json is not in canonical form (RFC 8785): it was changed, or another program wrote it.';
    return manifest.data;
  } catch {
    return 'manifest.json is not valid JSON: it was changed or cut off.';
  }
}

async function fileDifferences(folder: string, { files }: ReadManifest): Promise<readonly string[]> {
  const differences: string[] = [];
  for (const [name, { sha256, sizeBytes }] of Object.entries(files)) {
    const file = join(folder, name);
    const facts = await fsPromises.lstat(file).catch(() => undefined);
    if (facts?.isFile() !== true) differences.push(`${visibleName(name)} is missing.`);
    else {
      const own = facts.size === sizeBytes ? await sumOf(file) : ok(undefined);
      if (!own.ok) differences.push(`${visibleName(name)} ${own.error}.`);
      else if (own.value !== sha256)
        differences.push(`${visibleName(name)} is not the file that was packed: its SHA-256 differs.`);
    }
  }
  const found = await listFiles(folder);
  for (const { name, problem } of found.unread) differences.push(`${visibleName(name)} ${problem}.`);
  for (const name of found.names) {
    const inPack = name.split(sep).join('/');
    if (!Object.hasOwn(files, inPack) && !unlisted.has(inPack))
      differences.push(`${visibleName(inPack)} is in the folder but is not part of the pack.`);
  }
  return differences;
}

/** Whether this is the file that was packed is compared with the other files. */
async function timeStampDifferences(
  { files, timeStamp: named = null }: ReadManifest,
  answer: Buffer | undefined,
  sums: Buffer | undefined,
): Promise<readonly string[]> {
  if (!Object.hasOwn(files, packFiles.timeStamp))
    return named === null ? [] : ['The manifest names a time-stamp that is not in the pack.'];
  if (answer === undefined || sums === undefined) return [];
  const stamp = await readTimeStamp(answer, sums);
  if (!stamp.ok) return [`The time-stamp is not valid: ${stamp.error}.`];
  if (stamp.value.at === named?.at && stamp.value.by === named.by) return [];
  return ['The time or authority of the time-stamp differs from the manifest.'];
}

const rowSchema = z.tuple([z.int(), z.number(), z.string(), z.string(), z.string()]);
const sentSchema = z.looseObject({
  clipId: z.string(),
  sha256: z.string(),
  sizeBytes: z.number(),
  storageKey: z.string(),
});

function chainDifferences(text: string, manifest: ReadManifest): readonly string[] {
  const differences: string[] = [];
  const rows = new Map<number, string>();
  const lines = text.split('\n').slice(0, -1);
  let last: string | undefined;
  for (const line of lines) {
    const [number = '', before = '', hash = '', digest = '', row = ''] = line.split('\t');
    if (row !== '-') {
      if (sha256Of(row) !== digest) differences.push(`Row ${visibleName(number)} of the chain was changed.`);
      else rows.set(Number(number), row);
    }
    if (linkHash(before === '-' ? FIRST_HASH : before, digest) !== hash)
      differences.push(`Row ${visibleName(number)} of the chain does not follow from the one before.`);
    const isNamed = last !== undefined && row.includes('"chain.anchored"') && row.includes(last);
    if (last !== undefined && before !== last && !isNamed)
      differences.push(`Rows of the chain before row ${visibleName(number)} are missing.`);
    last = hash;
  }
  if (last !== manifest.chain.head.hash || lines.length !== manifest.chain.lines)
    differences.push('The end or the length of chain.txt differs from the manifest.');
  for (const { number, id, sha256, sizeBytes, sent } of manifest.clips) {
    if (sent === null) continue;
    const inChain = sentIn(rows.get(sent.row));
    const agrees =
      inChain?.clipId === id &&
      inChain.sha256 === sha256.sent &&
      inChain.sizeBytes === sizeBytes &&
      inChain.storageKey === sent.storageKey;
    if (!agrees)
      differences.push(`Clip ${number}: the manifest does not agree with row ${sent.row} of the chain.`);
  }
  return differences;
}

function sentIn(row: string | undefined): z.infer<typeof sentSchema> | undefined {
  try {
    const [, , , , detail] = rowSchema.parse(JSON.parse(row ?? ''));
    return sentSchema.parse(JSON.parse(detail));
  } catch {
    return undefined;
  }
}
