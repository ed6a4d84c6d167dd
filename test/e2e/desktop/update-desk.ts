import { generateKeyPairSync, createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, type Locator, type Page } from '@playwright/test';
import { z } from 'zod';
import { describeRelease, publicHalf, signManifest } from '../../../scripts/sign.ts';
import { buildKeyedMain } from '../helpers/keyed-main.ts';
import { feedAuthority, startUpdateFeed, type UpdateFeed } from '../helpers/update-feed.ts';
import { test as base, type Desktop, type Started } from './desktop.ts';

/** The installed version. */
export const INSTALLED = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync('package.json', 'utf8'))).version;
/** A later version. */
export const NEWER = '99.1.0';

/** Deviations of a release from a correct one. */
interface ReleaseChange {
  /** The version in the list that the updater reads. */
  readonly offered?: string;
  /** The version in the signed manifest. */
  readonly signed?: string;
  /** The signing key; default: the publisher's. */
  readonly privateKey?: string;
  readonly channel?: 'latest' | 'beta';
  /** The AppImage; default: one that reports its version. */
  readonly image?: MappedImage;
}

/** An AppImage with its block map at the end. */
interface MappedImage {
  readonly file: Buffer;
  readonly blockMapSize: number;
}

/** A desk on Linux whose app is an AppImage, and its publisher's feed. */
export interface UpdateDesk {
  readonly feed: UpdateFeed;
  /** The AppImage that the person has started. */
  readonly program: string;
  /** Puts the person's AppImage in place; default: one that reports its version. */
  install(file?: Buffer): Promise<void>;
  /** The updater's folder for downloads. */
  readonly cache: string;
  start(feedUrl?: string): Promise<Started>;
  /** Puts a whole release on the feed; returns the name and the bytes of its AppImage. */
  release(version: string, change?: ReleaseChange): Promise<{ readonly name: string; readonly file: Buffer }>;
  /** The file that is now in the program's place. */
  installed(): Promise<Buffer>;
  /** The versions that were started, one per line. */
  startedAgain(): Promise<string>;
  log(): Promise<string>;
}

interface Maker {
  readonly privateKey: string;
  readonly main: string;
}

/** A new private key for lists. */
export const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A program that only reports which version was started. */
export const appImage = (version: string): Buffer =>
  Buffer.from(`#!/bin/sh\necho ${version} >> "$HOME/started-again"\n${'#'.repeat(200_000)}\n`);

/** These bytes with their block map at the end, which lets the updater download only the blocks that differ. */
export function withBlockMap(blocks: readonly Buffer[]): MappedImage {
  const checksums = blocks.map((block) => createHash('sha256').update(block).digest('base64'));
  const sizes = blocks.map(({ length }) => length);
  const map = deflateRawSync(
    JSON.stringify({ version: '2', files: [{ name: 'file', offset: 0, checksums, sizes }] }),
  );
  const mapSize = Buffer.alloc(4);
  mapSize.writeUInt32BE(map.length);
  return { file: Buffer.concat([...blocks, map, mapSize]), blockMapSize: map.length };
}

export const test = base.extend<{ desk: UpdateDesk }, { maker: Maker }>({
  maker: [
    async ({ browserName: _any }, use, { workerIndex }) => {
      const privateKey = newKey();
      const built = await buildKeyedMain(publicHalf(privateKey), `worker-${workerIndex}`);
      await use({ privateKey, main: built.main });
      built.remove();
    },
    { scope: 'worker' },
  ],
  desk: async ({ desktop, maker }, use) => {
    const feed = await startUpdateFeed();
    await use(openDesk(desktop, feed, maker));
    await feed.stop();
  },
});

function openDesk(desktop: Desktop, feed: UpdateFeed, maker: Maker): UpdateDesk {
  const { home } = desktop;
  const program = join(home, 'apps', 'vms-export-agent.AppImage');
  const resourcesPath = join(home, 'mounted', 'resources');

  async function install(file = appImage(INSTALLED)): Promise<void> {
    await mkdir(dirname(program), { recursive: true });
    await writeFile(program, file, { mode: 0o755 });
  }
  async function writeResources(feedUrl: string): Promise<void> {
    await mkdir(resourcesPath, { recursive: true });
    await writeFile(
      join(resourcesPath, 'app-update.yml'),
      `provider: generic\nurl: ${feedUrl}\nuseMultipleRangeRequest: false\nupdaterCacheDirName: vms-export-agent-updater\n`,
    );
  }
  return {
    feed,
    program,
    install,
    cache: join(home, '.cache', 'vms-export-agent-updater'),
    async start(feedUrl = feed.url) {
      await writeResources(feedUrl);
      if (!existsSync(program)) await install();
      const environment = {
        APPIMAGE: program,
        APPDIR: dirname(resourcesPath),
        NODE_EXTRA_CA_CERTS: feedAuthority,
      };
      return desktop.start([], { main: maker.main, resourcesPath, environment });
    },
    async release(version, change = {}) {
      const { offered = version, signed = version, privateKey, channel = 'latest', image } = change;
      const name = `vms-export-agent-${version}-linux-x64.AppImage`;
      const file = image?.file ?? appImage(version);
      const made = join(home, 'release', name);
      await mkdir(dirname(made), { recursive: true });
      await writeFile(made, file);
      const list = signManifest(describeRelease(signed, [made]), privateKey ?? maker.privateKey);
      const listName = channel === 'latest' ? 'update-linux.json' : 'update-beta-linux.json';
      feed.put(name, { kind: 'file', body: file });
      feed.put(`${channel}-linux.yml`, { kind: 'file', body: releaseYml(offered, name, file, image) });
      feed.put(listName, { kind: 'file', body: Buffer.from(JSON.stringify(list)) });
      return { name, file };
    },
    installed: () => readFile(program),
    log: () => readFile(join(desktop.userData, 'logs', 'vms-export-agent.log'), 'utf8'),
    startedAgain: () => readFile(join(home, 'started-again'), 'utf8').catch(() => ''),
  };
}

/** The file that the builder writes beside the packages. */
export function releaseYml(version: string, name: string, file: Buffer, image?: MappedImage): Buffer {
  const sum = createHash('sha512').update(file).digest('base64');
  return Buffer.from(
    [
      `version: ${version}`,
      'files:',
      `  - url: ${name}`,
      `    sha512: ${sum}`,
      `    size: ${file.length}`,
      ...(image === undefined ? [] : [`    blockMapSize: ${image.blockMapSize}`]),
      `path: ${name}`,
      `sha512: ${sum}`,
      `releaseDate: '2026-11-21T10:00:00.000Z'`,
      '',
    ].join('\n'),
  );
}

/** Opens the part of the settings about updates. */
export async function openUpdatesPart(page: Page): Promise<Locator> {
  await page.evaluate(() => void (location.hash = '#/settings?part=updates'));
  const part = page.getByRole('main');
  await expect(part.getByRole('heading', { name: 'Updates' })).toBeVisible();
  return part;
}

/** Checks for updates as a person does, and waits for the result; returns the part of the page. */
export async function lookForUpdates(page: Page): Promise<Locator> {
  const part = await openUpdatesPart(page);
  // Its label is different while it checks
  const look = part.getByRole('button', { name: 'Check for updates' });
  await look.click();
  await expect(look).toBeEnabled();
  return part;
}
