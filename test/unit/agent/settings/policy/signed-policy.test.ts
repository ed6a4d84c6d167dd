import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import * as whole from '../../../../../electron/agent/settings/policy/signed-policy.ts';
import { createSigner, ISSUED_AT, policyOf, POLICY_URL } from '../../../../helpers/policy-signer.ts';

const SOURCE = 'electron/agent/settings/policy/signed-policy.ts';
const NOW_MS = Date.parse('2026-11-23T12:00:00Z');
const ours = createSigner();
const other = createSigner();
const source = { url: POLICY_URL, publicKey: ours.publicKey };
const good = ours.document();

type Check = Pick<typeof whole, 'readSignedPolicy' | 'mayFollow'>;

/** Why the desk refuses a document that arrives while it has `last`; undefined if it accepts it. */
function judge(document: string, { readSignedPolicy, mayFollow }: Check = whole, last = good) {
  const kept = whole.readSignedPolicy(Buffer.from(last), source, 'linux');
  const read = readSignedPolicy(Buffer.from(document), source, 'linux');
  if (!read.ok) return read.error;
  const judged = mayFollow(read.value, kept.ok ? kept.value : undefined, NOW_MS);
  return judged.ok ? undefined : judged.error;
}

/** The module with one of its checks removed. */
async function withoutCheck(find: string, replace: string): Promise<Check> {
  const text = await readFile(SOURCE, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${SOURCE} does not have once: ${find}`);
  const folder = await mkdtemp(join(tmpdir(), 'vms-forged-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const broken = text
    .replace(find, () => replace)
    .replaceAll(
      /from '(\.[^']+)'/g,
      (_, path: string) => `from '${pathToFileURL(resolve(dirname(SOURCE), path)).href}'`,
    )
    .replaceAll("from 'zod'", `from '${pathToFileURL(resolve('node_modules/zod/index.js')).href}'`);
  const file = join(folder, 'signed-policy.ts');
  await writeFile(file, broken);
  return import(pathToFileURL(file).href);
}

const SIGNATURE = ['if (!isSignedBy(publicKey, ', 'if (text === "" && !isSignedBy(publicKey, '] as const;
const FORM = ['const policySchema = z.strictObject(', 'const policySchema = z.looseObject('] as const;
const STRICT = [
  'const json = parseStrictJson(text, DEEPEST);',
  'const json = { ok: true as const, value: JSON.parse(text) };',
] as const;
const VALUES = ['if (problem !== undefined) return err(', 'if (text === "") return err('] as const;
const ADDRESS = ['if (policy.address !== url)', 'if (policy.address === "")'] as const;
const SEQUENCE = ['if (next.sequence < last.sequence)', 'if (next.sequence < 0)'] as const;

const next = { sequence: 6 };
const documentSchema = z.object({ policy: z.string(), signature: z.string() });

/** A newer policy that was changed but still has the old signature. */
const altered = (find: string | RegExp, replace: string): string => {
  const { policy, signature } = documentSchema.parse(JSON.parse(ours.document(next)));
  const changed = policy.replace(find, replace);
  if (changed === policy) throw new Error('Nothing was altered');
  return JSON.stringify({ policy: changed, signature });
};
const text = (members?: Record<string, unknown>): string => JSON.stringify(policyOf(members));
const signatureOf = (document: string): string => documentSchema.parse(JSON.parse(document)).signature;

/**
 * Forged documents: the change, the document, the reason for the refusal, and the edit that removes the check behind
 * it.
 */
const forgeries: readonly (readonly [string, string, RegExp, readonly [string, string]])[] = [
  ['another value', altered('"concurrentFiles":3', '"concurrentFiles":4'), /not signed/, SIGNATURE],
  ['a higher sequence', altered('"sequence":6', '"sequence":7'), /not signed/, SIGNATURE],
  ['a setting more', altered('"managed":{', '"managed":{"siteId":"x",'), /not signed/, SIGNATURE],
  ['a setting less', altered(/"managed":\{.*\}\}(?=\})/, '"managed":{}'), /not signed/, SIGNATURE],
  ['another time', altered('2026-11-20', '2026-11-21'), /not signed/, SIGNATURE],
  ['the key of another', other.document(next), /not signed/, SIGNATURE],
  [
    'the signature of another policy',
    JSON.stringify({ policy: text(next), signature: signatureOf(good) }),
    /not signed/,
    SIGNATURE,
  ],
  [
    'a signature of zeros',
    JSON.stringify({ policy: text(next), signature: Buffer.alloc(64).toString('base64') }),
    /not signed/,
    SIGNATURE,
  ],
  [
    'a signature that was made for something else, as a release is signed',
    ours.around(text(next), ''),
    /not signed/,
    ["const PURPOSE = 'vms-export-agent policy\\n';", "const PURPOSE = '';"],
  ],
  ['an old policy', ours.document({ sequence: 4 }), /outdated \(sequence 4; this PC has 5\)/, SEQUENCE],
  ['the very first policy', ours.document({ sequence: 1 }), /outdated/, SEQUENCE],
  [
    'another policy with the same sequence',
    ours.document({ managed: {} }),
    /same sequence .* different content/,
    ['next.sequence === last.sequence && next.text !== last.text', 'next.text === ""'],
  ],
  [
    'a policy that was signed before the last one',
    ours.document({ ...next, issuedAt: '2026-11-19T08:00:00Z' }),
    /signed before/,
    ['if (issuedMs < Date.parse(last.issuedAt))', 'if (issuedMs < 0)'],
  ],
  [
    'a policy from the future',
    ours.document({ ...next, issuedAt: '2026-11-25T12:00:00Z' }),
    /in the future/,
    ['if (issuedMs > nowMs + MOST_AHEAD_MS)', 'if (issuedMs < 0)'],
  ],
  [
    'a policy whose time is over',
    ours.document({ ...next, validUntil: '2026-11-23T11:00:00Z' }),
    /expired at/,
    ['if (isExpired(next, nowMs))', 'if (nowMs === 0)'],
  ],
  [
    'the policy of other desks',
    ours.document({ ...next, address: 'https://policy.example.com/others.json' }),
    /another address/,
    ADDRESS,
  ],
  [
    'the policy of another server',
    ours.document({ ...next, address: 'https://policy.example.org/desks.json' }),
    /another address/,
    ADDRESS,
  ],
  [
    'a member beside policy and signature',
    JSON.stringify({ ...documentSchema.parse(JSON.parse(ours.document(next))), sequence: 99 }),
    /not a signed policy/,
    ['const documentSchema = z.strictObject(', 'const documentSchema = z.object('],
  ],
  [
    'a member that this version does not know',
    ours.around(text({ ...next, wipe: true })),
    /is signed, but/,
    FORM,
  ],
  [
    'two policies in one document',
    ours.document(next).replace('{', `{"policy": ${JSON.stringify(text())},`),
    /not a signed policy/,
    STRICT,
  ],
  [
    'two sequences in one policy',
    ours.around(text(next).replace('{', '{"sequence":1,')),
    /is signed, but/,
    STRICT,
  ],
  [
    'another source for the next policy',
    ours.document({ ...next, managed: { signedPolicy: { ...source, url: 'https://evil.example/p.json' } } }),
    /signedPolicy can be set only in the managed policy of the PC/,
    VALUES,
  ],
  ['a setting that does not exist', ours.document({ ...next, managed: { apiKey: 'k' } }), /apiKey/, VALUES],
  [
    'a value that is out of range',
    ours.document({ ...next, managed: { upload: { concurrentFiles: 0 } } }),
    /concurrentFiles/,
    VALUES,
  ],
  [
    'a path that means another file on each desk',
    ours.document({ ...next, managed: { apiKeyFile: 'key.txt' } }),
    /relative path/,
    VALUES,
  ],
  [
    'more than any policy has',
    ours.document(next) + ' '.repeat(300_000),
    /larger than 256 kB/,
    ['if (bytes.length > LONGEST_POLICY)', 'if (bytes.length === 0)'],
  ],
];

describe('a policy by a signed address', () => {
  it('is taken when it is newer, and when it is the one that the desk has', () => {
    expect(judge(ours.document(next))).toBeUndefined();
    expect(judge(good)).toBeUndefined();
    // The signer's clock is a few hours ahead
    expect(judge(ours.document({ ...next, issuedAt: '2026-11-24T11:00:00Z' }))).toBeUndefined();
    expect(judge(ours.document({ ...next, validUntil: '2026-12-24T11:00:00Z' }))).toBeUndefined();
  });

  it('is refused with a sentence for a setting that is not known', () => {
    expect(judge(ours.document({ ...next, managed: { 'upload.onMetered': 'pause' } }))).toMatch(
      /^cannot be used: "upload\.onMetered" is not a known setting$/,
    );
  });

  it('has what its key vouches for', () => {
    const read = whole.readSignedPolicy(Buffer.from(good), source, 'linux');
    expect(read).toMatchObject({
      ok: true,
      value: {
        sequence: 5,
        issuedAt: ISSUED_AT,
        parts: [{ level: 'managed', values: { upload: { concurrentFiles: 3 } } }, { level: 'recommended' }],
      },
    });
  });

  it.each(['', '<html></html>', '[]', '{"policy": 1}', 'null', '\u0000'])('is none: %j', (document) => {
    expect(judge(document)).toMatch(/not a signed policy/);
  });

  it.each(['', 'AAAA', Buffer.alloc(33).toString('base64')])('is none for the key %j', (publicKey) => {
    expect(whole.isSignedBy(publicKey, Buffer.from(''), Buffer.alloc(64).toString('base64'))).toBe(false);
  });

  it.each(forgeries)(
    'is refused with %s, by a check that would else let it pass',
    async (_, forged, why, check) => {
      expect(judge(forged)).toMatch(why);
      expect(judge(forged, await withoutCheck(...check))).toBeUndefined();
    },
  );
});

describe('the copy of a policy', () => {
  async function folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'vms-kept-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    return path;
  }
  const read = whole.readSignedPolicy(Buffer.from(good), source, 'linux');
  const kept = { ...(read.ok ? read.value : expect.fail(read.error)), checkedAt: '2026-11-23T11:45:00.000Z' };

  it('is what was kept', async () => {
    const dataDir = await folder();
    expect(await whole.readKeptPolicy(dataDir, source, 'linux')).toBeUndefined();
    await whole.keepPolicy(dataDir, kept);
    expect(await whole.readKeptPolicy(dataDir, source, 'linux')).toEqual(kept);
  });

  it('replaces a link and does not overwrite its target', async () => {
    const dataDir = await folder();
    const target = join(await folder(), 'settings.json');
    await writeFile(target, 'of somebody else');
    await symlink(target, join(dataDir, 'signed-policy.json'));
    await whole.keepPolicy(dataDir, kept);
    expect(await readFile(target, 'utf8')).toBe('of somebody else');
    expect(await whole.readKeptPolicy(dataDir, source, 'linux')).toEqual(kept);
  });

  it.each([
    ['was altered', (copy: string) => copy.replace('concurrentFiles', 'concurrentParts'), source],
    ['is half there', (copy: string) => copy.slice(0, 200), source],
    ['is for another key', (copy: string) => copy, { ...source, publicKey: other.publicKey }],
    [
      'is for another address',
      (copy: string) => copy,
      { ...source, url: 'https://policy.example.com/b.json' },
    ],
  ])('counts for nothing when it %s', async (_, change, asked) => {
    const dataDir = await folder();
    await whole.keepPolicy(dataDir, kept);
    const file = join(dataDir, 'signed-policy.json');
    await writeFile(file, change(await readFile(file, 'utf8')));
    expect(await whole.readKeptPolicy(dataDir, asked, 'linux')).toBeUndefined();
  });
});
