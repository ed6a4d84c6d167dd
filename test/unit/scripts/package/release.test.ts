import { verifyManifest } from '../../../../electron/desktop/updates/verify-update.ts';
import {
  signShare,
  canonicalManifest,
  checkUpdateKey,
  describeRelease,
  manifestNames,
  publicHalf,
  signManifest,
} from '../../../../scripts/sign.ts';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builderArguments, checksumLines, releaseNotes } from '../../../../scripts/package.ts';
import { writeLicences } from '../../../../scripts/make-licences.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-release-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** The DER header of a public Ed25519 key; the key's 32 bytes follow. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

describe('the update manifest', () => {
  const pem = (): string =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  test('is signed over version, names, sums and sizes', () => {
    const key = pem();
    const signed = signManifest(describeRelease('1.2.3', [write('b.exe', 'bb'), write('a.exe', 'a')]), key);
    expect(signed.files.map(({ name, size }) => [name, size])).toEqual([
      ['a.exe', 1],
      ['b.exe', 2],
    ]);
    const publicKey = createPublicKey({
      key: Buffer.concat([SPKI_HEAD, Buffer.from(publicHalf(key), 'base64')]),
      format: 'der',
      type: 'spki',
    });
    const holds = (version: string): boolean =>
      verify(
        null,
        canonicalManifest({ ...signed, version }),
        publicKey,
        Buffer.from(signed.signature, 'base64'),
      );
    expect([holds('1.2.3'), holds('1.2.4')]).toEqual([true, false]);
  });

  test('is never signed with another key than the one that the program has built in', () => {
    const key = pem();
    expect(() => checkUpdateKey(key, publicHalf(pem()))).toThrow('No desk would accept this release');
    expect(() => checkUpdateKey(key, undefined)).toThrow('contains no key');
    expect(() => checkUpdateKey(key, publicHalf(key))).not.toThrow();
    expect(() => checkUpdateKey('', undefined)).not.toThrow();
    expect(() => checkUpdateKey(undefined, publicHalf(key))).not.toThrow();
  });

  test('has one form in bytes, whatever else stands in it', () => {
    const file = { size: 1, extra: true, sha512: 'AA==', name: 'a' };
    expect(canonicalManifest({ files: [file], version: '1.0.0' }).toString()).toBe(
      '{"version":"1.0.0","files":[{"name":"a","sha512":"AA==","size":1}]}',
    );
  });

  test('is signed again for a share of the desks, as the program reads it', () => {
    const key = pem();
    const signed = JSON.stringify(signManifest(describeRelease('1.2.3', [write('c.exe', 'c')]), key));
    const trust = { publicKey: publicHalf(key), installedVersion: '1.0.0' };
    const ten = signShare(signed, key, '10');
    expect(verifyManifest(ten, trust)).toMatchObject({ ok: true, value: { version: '1.2.3', share: 10 } });
    expect(JSON.parse(signShare(ten, key, '100'))).toEqual(JSON.parse(signed));
    for (const wrong of ['101', '-1', 'all', '2.5'])
      expect(() => signShare(signed, key, wrong)).toThrow(/expected/);
  });

  test('lies where desks on each channel look that the version is for', () => {
    expect(manifestNames('1.0.0', 'linux')).toEqual(['update-linux.json', 'update-beta-linux.json']);
    expect(manifestNames('1.1.0-beta.2', 'win32')).toEqual(['update-beta-win32.json']);
  });

  test('is not signed with a key of another kind', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => signManifest({ version: '1.0.0', files: [] }, other)).toThrow('must be an Ed25519 key');
  });
});

describe('release notes', () => {
  const page = '# Changelog\n\n## 0.2.0, 2026-12-01\n\n- Second.\n\n## 0.1.0, 2026-11-01\n\n- First.\n';

  test('are what the changelog says about the version', () => {
    expect(releaseNotes(page, '0.1.0')).toBe('- First.');
    expect(releaseNotes(page, '0.2.0')).toBe('- Second.');
  });

  test.each(['0.1', '0.3.0', '0X1.0'])('are missed for %s', (version) => {
    expect(() => releaseNotes(page, version)).toThrow(`no section for ${version}`);
  });
});

test('checksums are those of sha256sum, by name', async () => {
  const lines = await checksumLines([write('b', ''), write('a', 'abc')]);
  expect(lines).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n' +
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n',
  );
});

describe('licences', () => {
  const install = (
    name: string,
    license: string | undefined,
    text?: string,
  ): { name: string; folder: string } => {
    mkdirSync(join(folder, name), { recursive: true });
    write(`${name}/package.json`, JSON.stringify({ name, version: '1.0.0', license }));
    if (text !== undefined) write(`${name}/LICENSE`, text);
    return { name, folder: name };
  };

  test('stand in one text, by name', () => {
    const packages = [install('b', 'MIT', 'text of b'), install('a', 'ISC', 'text of a')];
    writeLicences(packages, join(folder, 'licences.txt'), folder);
    expect(readFileSync(join(folder, 'licences.txt'), 'utf8')).toMatch(
      /\na 1\.0\.0\n\ntext of a\n[^]*\nb 1\.0\.0\n/,
    );
  });

  test('that are missing or not allowed are all named', () => {
    const packages = [install('a', 'AGPL-3.0', 'x'), install('b', undefined, 'x'), install('c', 'MIT')];
    expect(() => writeLicences(packages, join(folder, 'licences.txt'), folder)).toThrow(
      /a 1\.0\.0 is under AGPL-3\.0.*\n.*b 1\.0\.0 is under no licence.*\n.*c 1\.0\.0 brings no licence text/,
    );
  });
});

describe('what the environment tells the builder', () => {
  test('is nothing when it is empty', () => {
    expect(builderArguments({ UPDATE_FEED_URL: '', CSC_LINK: '' })).toEqual(['--publish', 'never']);
  });

  test('is feed and publisher; with a certificate everything has to be signed', () => {
    const environment = {
      UPDATE_FEED_URL: 'https://updates.example.com',
      WINDOWS_PUBLISHER_NAME: 'Example Ltd',
      WIN_CSC_LINK: 'x',
    };
    expect(builderArguments(environment).slice(2)).toEqual([
      '-c.publish.url=https://updates.example.com',
      '-c.win.signtoolOptions.publisherName=Example Ltd',
      '-c.forceCodeSigning=true',
    ]);
  });

  test('is no certificate of a service that electron-builder.yml has no options for', () => {
    const azure = { AZURE_TENANT_ID: 'x', AZURE_CLIENT_ID: 'x', AZURE_CLIENT_SECRET: 'x' };
    expect(builderArguments(azure)).toEqual(['--publish', 'never']);
    expect(readFileSync('electron-builder.yml', 'utf8')).not.toContain('azureSignOptions');
  });

  test('is refused when the feed is not https', () => {
    expect(() => builderArguments({ UPDATE_FEED_URL: 'http://updates.example.com' })).toThrow('https://');
  });
});
