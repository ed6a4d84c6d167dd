/**
 * Policies from a signed address: what makes one trustworthy, and the copy that a desk keeps for when the address
 * cannot be reached. Address and key come only from the PC's own policy. Whoever controls only the server or the
 * network can keep a desk from getting a newer policy, and nothing else.
 */
import { createPublicKey, verify } from 'node:crypto';
import { lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { decodeText, parseStrictJson } from '../../core/text/parse-strict-json.ts';
import { OWNER_ONLY, replaceFile } from '../guarded-path.ts';
import { checkPart } from './policy-values.ts';
import type { PolicyPart, SignedSource } from './policy.ts';

/** Longest document, bytes: the largest sensible policy has a few KB. */
export const LONGEST_POLICY = 256_000;
/** Deepest nesting of a policy; the settings need four levels. */
const DEEPEST = 16;
/** How far the signer's clock may be ahead of this PC's, milliseconds. */
const MOST_AHEAD_MS = 24 * 3_600_000;
/** Prefix of the 32 bytes of an Ed25519 key in its usual form (SPKI). */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
/** Prefix of the signed text: a signature over anything else, such as a list of releases, is not valid for a policy. */
const PURPOSE = 'vms-export-agent policy\n';

const documentSchema = z.strictObject({ policy: z.string(), signature: z.base64().length(88) });
const group = z.record(z.string(), z.unknown());
const policySchema = z.strictObject({
  address: z.string(),
  sequence: z.int().min(1),
  issuedAt: z.iso.datetime(),
  validUntil: z.iso.datetime().exactOptional(),
  managed: group.exactOptional(),
  recommended: group.exactOptional(),
});

/** A policy with a valid signature. Times are ISO 8601 UTC. */
export interface SignedPolicy {
  readonly sequence: number;
  readonly issuedAt: string;
  /** From then on it is no longer accepted; a desk that already has it keeps it. */
  readonly validUntil?: string;
  readonly parts: readonly PolicyPart[];
  /** The document as received. */
  readonly text: string;
}

/** Whether the key (32 bytes, base64) made this Ed25519 signature (base64) over these bytes. */
export function isSignedBy(publicKey: string, content: Uint8Array, signature: string): boolean {
  const bytes = Buffer.from(publicKey, 'base64');
  if (bytes.length !== KEY_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([KEY_PREFIX, bytes]), format: 'der', type: 'spki' });
  return verify(null, content, key, Buffer.from(signature, 'base64'));
}

/**
 * Reads a document that was received from the address or kept. The error follows "The policy from ADDRESS" in a
 * sentence.
 */
export function readSignedPolicy(
  bytes: Uint8Array,
  { url, publicKey }: SignedSource,
  platform: NodeJS.Platform,
): Result<SignedPolicy, string> {
  if (bytes.length > LONGEST_POLICY) return err(`is larger than ${LONGEST_POLICY / 1000} kB`);
  const text = decodeText(bytes) ?? '';
  const document = parse(text, documentSchema);
  if (document === undefined) return err('is not a signed policy');
  if (!isSignedBy(publicKey, Buffer.from(PURPOSE + document.policy), document.signature))
    return err('is not signed with the key that this PC trusts');
  const policy = parse(document.policy, policySchema);
  if (policy === undefined) return err('is signed, but in a format that this version does not support');
  if (policy.address !== url) return err(`was signed for another address (${policy.address})`);
  const { managed = {}, recommended = {}, sequence, issuedAt, validUntil } = policy;
  const part = (level: PolicyPart['level'], values: PolicyPart['values']): PolicyPart => ({
    place: `${url}, "${level}"`,
    level,
    values,
    isSigned: true,
  });
  const parts = [part('managed', managed), part('recommended', recommended)];
  const [problem] = parts.flatMap((each) => checkPart(each, platform));
  if (problem !== undefined) return err(`cannot be used: ${problem.message.replace(/\.$/, '')}`);
  return ok({ sequence, issuedAt, ...(validUntil !== undefined && { validUntil }), parts, text });
}

function parse<Schema extends z.ZodType>(text: string, schema: Schema): z.infer<Schema> | undefined {
  const json = parseStrictJson(text, DEEPEST);
  return json.ok ? schema.safeParse(json.value).data : undefined;
}

/** Whether a policy that was just received may replace the last one; the error as in `readSignedPolicy`. */
export function mayFollow(
  next: SignedPolicy,
  last: Pick<SignedPolicy, 'sequence' | 'issuedAt' | 'text'> | undefined,
  nowMs: number,
): Result<void, string> {
  const issuedMs = Date.parse(next.issuedAt);
  if (last !== undefined) {
    if (next.sequence < last.sequence)
      return err(`is outdated (sequence ${next.sequence}; this PC has ${last.sequence})`);
    if (next.sequence === last.sequence && next.text !== last.text)
      return err(
        `has the same sequence number as the policy on this PC (${next.sequence}), but different content`,
      );
    if (issuedMs < Date.parse(last.issuedAt)) return err('was signed before the policy on this PC');
  }
  if (issuedMs > nowMs + MOST_AHEAD_MS)
    return err(
      `has a signing time in the future (${next.issuedAt}): check the clock of this PC and that of the PC where it was signed`,
    );
  if (isExpired(next, nowMs)) return err(`expired at ${next.validUntil ?? ''}`);
  return ok(undefined);
}

/** Whether the policy has expired. */
export const isExpired = ({ validUntil }: Pick<SignedPolicy, 'validUntil'>, nowMs: number): boolean =>
  validUntil !== undefined && Date.parse(validUntil) < nowMs;

const COPY_NAME = 'signed-policy.json';
const copySchema = z.strictObject({ checkedAt: z.iso.datetime(), document: z.string() });

/** A policy in force, and when the address last confirmed it (ISO 8601 UTC). */
export interface KeptPolicy extends SignedPolicy {
  readonly checkedAt: string;
}

/** Reads this desk's copy, checked as if it came from the address; undefined: there is no usable one. */
export async function readKeptPolicy(
  dataDir: string,
  source: SignedSource,
  platform: NodeJS.Platform,
): Promise<KeptPolicy | undefined> {
  const text = await readFile(join(dataDir, COPY_NAME), 'utf8').catch(() => '');
  const copy = parse(text, copySchema);
  const policy = copy && readSignedPolicy(Buffer.from(copy.document), source, platform);
  return copy && policy?.ok === true ? { ...policy.value, checkedAt: copy.checkedAt } : undefined;
}

/** Replaces the kept copy. Rejects with the system's error; the previous copy is then still there. */
export async function keepPolicy(dataDir: string, { text, checkedAt }: KeptPolicy): Promise<void> {
  const copy = JSON.stringify({ checkedAt, document: text });
  const file = join(dataDir, COPY_NAME);
  // The first copy is written before access to the data directory is restricted: somebody may have put a link there
  if ((await lstat(file).catch(() => undefined))?.isSymbolicLink() === true) await rm(file);
  await replaceFile(file, copy, { rights: OWNER_ONLY });
}
