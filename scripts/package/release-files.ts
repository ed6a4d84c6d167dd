import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { execFileSync } from 'node:child_process';
import { cpSync, createReadStream, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extractAll } from '@electron/asar';
import { asarOf, type PackedApp } from './packed-app.ts';

/** As `sha256sum` writes it, so that `sha256sum --check` reads it. */
export async function checksumLines(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths.toSorted()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    lines.push(`${hash.digest('hex')}  ${basename(path)}\n`);
  }
  return lines.join('');
}

/** What CHANGELOG.md says about a version. Throws when it says nothing: a release without a word is a mistake. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => new RegExp(`^${escape(version)}(,|\\s|$)`).test(each));
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return notes;
}

const escape = (text: string): string => text.replaceAll('.', String.raw`\.`);

type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment adds to electron-builder.yml; empty values count as not set, as build servers pass them. */
export function builderArguments(environment: Environment): readonly string[] {
  const feed = filled(environment['UPDATE_FEED_URL']);
  const publisher = filled(environment['WINDOWS_PUBLISHER_NAME']);
  if (feed !== undefined && !feed.startsWith('https://'))
    throw new Error('UPDATE_FEED_URL must begin with https://.');
  return [
    '--publish',
    'never',
    ...(feed === undefined ? [] : [`-c.publish.url=${feed}`]),
    // The updater on the PC takes only what this name has signed.
    ...(publisher === undefined ? [] : [`-c.win.signtoolOptions.publisherName=${publisher}`]),
    // With a certificate at hand an installer without a signature is a mistake.
    ...(hasCertificate(environment) ? ['-c.forceCodeSigning=true'] : []),
  ];
}

const certificates = ['CSC_LINK', 'WIN_CSC_LINK'];
const hasCertificate = (environment: Environment): boolean =>
  certificates.some((name) => filled(environment[name]) !== undefined);

const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** Parts that only the desktop has. */
const desktopOnly = ['dist/main/main.js', 'dist/preload', 'build'];

/**
 * The program for servers, which bring their own Node: the same files as in the package, taken out of its archive.
 * Answers the path of the archive.
 */
export function makeHeadlessArchive(app: PackedApp, name: string, output: string): string {
  const staging = join(output, 'headless');
  const folder = join(staging, name);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  extractAll(asarOf(app), folder);
  for (const part of desktopOnly) rmSync(join(folder, part), { recursive: true, force: true });
  for (const part of ['licences.txt', 'policies'])
    cpSync(join(app.resources, part), join(folder, part), { recursive: true });
  const service = app.target === 'win' ? 'build/windows-service' : 'build/systemd';
  cpSync(service, join(folder, 'service'), { recursive: true });
  const archive = join(output, `${name}.tar.gz`);
  // Windows has a tar of its own since 2018.
  execFileSync('tar', ['-czf', archive, '-C', staging, name]);
  rmSync(staging, { recursive: true, force: true });
  return archive;
}
