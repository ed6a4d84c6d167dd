import { constants } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  isInShare,
  isNewerVersion,
  verifyManifest,
  verifyUpdateFile,
  decideUpdates,
  type UpdateFacts,
  describeUpdateFault,
  FeedStatusError,
  readList,
} from '../../../../electron/desktop/updates/verify-update.ts';
import { makeFolder } from '../../../helpers/desk-tools.ts';
import { createMaker } from '../../../helpers/signed-release.ts';

describe('the share of desks that a release is for', () => {
  const desks = Array.from({ length: 5000 }, (_, number) => `00000000-0000-4000-8000-${number}`);
  const inShare = (version: string, share?: number) => {
    const release = { version, files: [], ...(share !== undefined && { share }) };
    return new Set(desks.filter((desk) => isInShare(release, desk)));
  };

  it.each([0, 1, 5, 25, 50, 99, 100])('of %i percent is that share of the desks', (share) => {
    const percent = (inShare('1.1.0', share).size / desks.length) * 100;
    // Four times the standard deviation of that many draws
    const leeway = 4 * Math.sqrt((share * (100 - share)) / desks.length);
    expect(Math.abs(percent - share)).toBeLessThanOrEqual(leeway);
  });

  it('is every desk when nothing is said', () => {
    expect(inShare('1.1.0').size).toBe(desks.length);
  });

  it('stays the same desks when it grows, and is asked again', () => {
    const few = inShare('1.1.0', 10);
    expect(inShare('1.1.0', 10)).toEqual(few);
    const more = inShare('1.1.0', 11);
    expect([...few].filter((desk) => !more.has(desk))).toEqual([]);
  });

  it('is other desks with each version', () => {
    const next = inShare('1.2.0', 10);
    const both = [...inShare('1.1.0', 10)].filter((desk) => next.has(desk));
    // A tenth of a tenth
    expect(both.length).toBeGreaterThan(20);
    expect(both.length).toBeLessThan(90);
  });

  it.each([
    [10, /^ok 10$/],
    [-1, /in a format/],
    [101, /in a format/],
    [1.5, /in a format/],
  ])('of %d is signed with the rest', (share, result) => {
    const maker = createMaker();
    const trust = { publicKey: maker.publicKey, installedVersion: '1.0.0' };
    const said = (list: unknown): string => {
      const read = verifyManifest(JSON.stringify(list), trust);
      return read.ok ? `ok ${read.value.share}` : read.error;
    };
    const list = maker.release('1.1.0', { 'setup.exe': 'x' }, share);
    expect(said(list)).toMatch(result);
    const { share: _share, ...widened } = list;
    expect(said(widened)).toMatch(/not signed/);
  });
});

describe('versions', () => {
  it.each([
    ['1.0.1', '1.0.0', true],
    ['1.10.0', '1.9.9', true],
    ['2.0.0', '10.0.0', false],
    ['1.0.0', '1.0.0', false],
    ['1.0.0', '1.0.0-beta.1', true],
    ['1.0.0-beta.1', '1.0.0', false],
    ['1.0.0-beta.10', '1.0.0-beta.9', true],
    ['1.0.0-beta', '1.0.0-alpha.9', true],
    ['1.0.0-beta.1', '1.0.0-beta', true],
    ['1.0.0-1', '1.0.0-beta', false],
    ['v2.0.0', '1.0.0', false],
    ['2.0', '1.0.0', false],
    ['', '1.0.0', false],
    ['2.0.0', 'unknown', false],
  ])('%s after %s: %s', (offered, installed, isNewer) => {
    expect(isNewerVersion(offered, installed)).toBe(isNewer);
  });
});

describe('the signed manifest of a release', () => {
  const maker = createMaker();
  const trust = { publicKey: maker.publicKey, installedVersion: '1.0.0' };
  const release = maker.release('1.1.0', { 'setup.exe': 'program' });
  const check = (change: object, trusted = trust) =>
    verifyManifest(JSON.stringify({ ...release, ...change }), trusted);
  const refusal = (text: string) => ({ ok: false, error: expect.stringContaining(text) });

  it('is taken when its publisher signed it and it is newer', () => {
    const { version, files } = release;
    expect(check({})).toEqual({ ok: true, value: { version, files } });
  });

  it.each([
    ['another version', { version: '9.0.0' }],
    ['another file', { files: [{ ...release.files[0], name: 'evil.exe' }] }],
    ['another size', { files: [{ ...release.files[0], size: 8 }] }],
    ['another content', { files: createMaker().release('1.1.0', { 'setup.exe': 'evil' }).files }],
    ['a file more', { files: [...release.files, ...release.files] }],
    [
      'the signature of somebody else',
      { signature: createMaker().release('1.1.0', { 'setup.exe': 'program' }).signature },
    ],
    ['an empty signature', { signature: Buffer.alloc(64).toString('base64') }],
  ])('input H6: is refused with %s', (_name, change) => {
    expect(check(change)).toEqual(refusal('not signed'));
  });

  it.each(['1.1.0', '1.1.1', '2.0.0'])(
    'input H6: is refused when %s is installed: no way back',
    (installedVersion) => {
      expect(check({}, { ...trust, installedVersion })).toEqual(refusal('not newer'));
    },
  );

  it.each(['', 'x', 'AAAA', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
    'is refused when the key %j is none',
    (publicKey) => {
      expect(check({}, { ...trust, publicKey })).toEqual(refusal('not signed'));
    },
  );

  it.each([
    '',
    'null',
    JSON.stringify(release).slice(0, -20),
    JSON.stringify({ ...release, more: 1 }),
    JSON.stringify({ ...release, files: [] }),
    JSON.stringify({ ...release, signature: undefined }),
    `${JSON.stringify(release)}${' '.repeat(70_000)}`,
  ])('is refused when it is not understood: %#', (text) => {
    expect(verifyManifest(text, trust)).toEqual(refusal('in a format'));
  });
});

describe('the file of an update', () => {
  const release = createMaker().release('1.1.0', { 'setup.exe': 'program' });
  it.each([
    ['the very file', 'setup.exe', 'program', undefined],
    ['swapped', 'setup.exe', 'evil!!!', 'file does not match'],
    ['truncated', 'setup.exe', 'progra', 'size'],
    ['longer', 'setup.exe', 'program\0', 'size'],
    ['under another name', 'other.exe', 'program', 'not in the signed manifest'],
  ])('%s', async (_name, name, content, reason) => {
    const file = join(await makeFolder(), name);
    await writeFile(file, content);
    const answer = await verifyUpdateFile(file, release);
    expect(answer).toEqual(
      reason === undefined
        ? { ok: true, value: undefined }
        : { ok: false, error: expect.stringContaining(reason) },
    );
  });
});

describe('whether this copy updates itself', () => {
  const built = 'provider: generic\nurl: https://updates.example/desktop\npublisherName:\n  - Maker Ltd\n';
  const facts: UpdateFacts = {
    isPackaged: true,
    platform: 'linux',
    policy: { enabled: true, channel: 'stable' },
    built,
    canReplace: true,
    publicKey: 'key',
  };
  const on = { kind: 'on', feedUrl: 'https://updates.example/desktop/', channel: 'latest', publicKey: 'key' };
  const feed = (feedUrl: string) => ({ policy: { ...facts.policy, feedUrl } });

  it.each([
    ['as it was built', {}, on],
    [
      'from the feed of the organisation',
      feed('https://own.example/f/?a=1#b'),
      { ...on, feedUrl: 'https://own.example/f/' },
    ],
    ['beta', { policy: { enabled: true, channel: 'beta' as const } }, { ...on, channel: 'beta' }],
    ['a quoted address', { built: "url: 'https://q.example/'" }, { ...on, feedUrl: 'https://q.example/' }],
  ])('yes: %s', (_name, change, rules) => {
    expect(decideUpdates({ ...facts, ...change })).toEqual(rules);
  });

  it.each([
    ['not installed', { isPackaged: false }, 'is not installed'],
    ['by policy', { policy: { ...facts.policy, enabled: false } }, 'policy'],
    ['no key', { publicKey: undefined }, 'key'],
    ['no installer', { built: undefined }, 'installer'],
    ['a program that stays', { canReplace: false }, 'cannot write'],
    ['no feed', { built: 'provider: generic\n' }, 'without an update address'],
    ['plain http', feed('http://own.example/'), 'https'],
    ['a file', feed('file:///srv/'), 'https'],
    ['a password in it', feed('https://user:pass@own.example/'), 'https'],
    ['no address', feed('own.example'), 'https'],
    [
      'nobody named on Windows',
      { platform: 'win32' as const, built: 'url: https://u.example/\n' },
      'publisher',
    ],
    [
      'an empty name on Windows',
      { platform: 'win32' as const, built: 'url: https://u.example/\npublisherName:\n' },
      'publisher',
    ],
  ])('no: %s', (_name, change, reason) => {
    expect(decideUpdates({ ...facts, ...change })).toEqual({
      kind: 'off',
      reason: expect.stringContaining(reason),
    });
  });
});

const withCode = (code: string): Error => Object.assign(new Error('fault'), { code });

it.each([
  ['another file', withCode('ERR_CHECKSUM_MISMATCH'), 'differs from the one described by the update feed'],
  ['a program of somebody else', withCode('ERR_UPDATER_INVALID_SIGNATURE'), 'is not signed by the publisher'],
  ['a full disk', withCode('ENOSPC'), 'could not be saved to disk (ENOSPC)'],
  [
    'a full quota',
    Object.assign(new Error('fault'), { errno: -constants.errno.EDQUOT, code: 'Unknown system error' }),
    'could not be saved to disk (EDQUOT)',
  ],
  ['a page of a proxy', withCode('ERR_UPDATER_INVALID_VERSION'), 'did not return a valid release list'],
  ['no list', withCode('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'responded with HTTP 404'],
  ['no signed manifest', new FeedStatusError(403), 'responded with HTTP 403'],
  ['no file', new Error('Cannot download "https://u.example/x", status 410: '), 'responded with HTTP 410'],
  [
    'redirects are never followed',
    new Error("Attempted to redirect, but redirect policy was 'error'"),
    'redirects are never followed',
  ],
  ['no network', new Error('net::ERR_INTERNET_DISCONNECTED'), 'Could not get updates'],
  ['anything else', 'fault', 'Could not get updates'],
])('says %s in a sentence', (_what, fault, sentence) => {
  expect(describeUpdateFault(fault)).toContain(sentence);
  expect(describeUpdateFault(fault)).toMatch(/^[A-Z].*\. The app will retry automatically\.$/);
});

describe('the signed manifest', () => {
  it('is read to its end, and given up where it does not end', async () => {
    let pieces = 0;
    async function* list(most: number) {
      for (pieces = 0; pieces < most; pieces += 1) yield new Uint8Array(1024).fill(0x20);
    }
    expect(await readList(list(3))).toHaveLength(3 * 1024);
    expect(await readList(null)).toBe('');
    const error: unknown = await readList(list(Infinity)).catch((caught: unknown) => caught);
    expect(describeUpdateFault(error)).toContain('manifest is too large');
    expect(pieces).toBeLessThan(100);
  });
});
