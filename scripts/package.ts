/**
 * Makes the installers for this platform and the files that accompany them, in dist/package: `npm run package`. The
 * environment variables for signing, notarisation, update feed and key are in docs/release.md.
 */
import {
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  writeFileSync,
  cpSync,
  createReadStream,
  mkdirSync,
} from 'node:fs';
import { join, basename } from 'node:path';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { execFileSync } from 'node:child_process';
import { extractAll } from '@electron/asar';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { ARCH, nodePlatforms, packedApp, targets, asarOf, type PackedApp } from './package/packed-app.ts';
import { writeShippedLicences } from './make-licences.ts';
import { updatePublicKey } from '../electron/desktop/updates/update-key.ts';
import { checkUpdateKey, describeRelease, manifestNames, signManifest } from './sign.ts';
import { programStep, runStep } from './run-step.ts';
import { bundledPackages, readLock, shippedPackages } from './package/locked-packages.ts';

/** In the format of `sha256sum`, so that `sha256sum --check` can read it. */
export async function checksumLines(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths.toSorted()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    lines.push(`${hash.digest('hex')}  ${basename(path)}\n`);
  }
  return lines.join('');
}

/** The section of CHANGELOG.md about a version. Throws when there is none: a release needs notes. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => new RegExp(`^${escape(version)}(,|\\s|$)`).test(each));
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return notes;
}

const escape = (text: string): string => text.replaceAll('.', String.raw`\.`);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The additions to electron-builder.yml from the environment. Empty values count as not set, since build servers pass
 * them.
 */
export function builderArguments(environment: Environment): readonly string[] {
  const feed = filled(environment['UPDATE_FEED_URL']);
  const publisher = filled(environment['WINDOWS_PUBLISHER_NAME']);
  if (feed !== undefined && !feed.startsWith('https://'))
    throw new Error('UPDATE_FEED_URL must begin with https://.');
  return [
    '--publish',
    'never',
    ...(feed === undefined ? [] : [`-c.publish.url=${feed}`]),
    // The updater on the PC only accepts what this publisher has signed.
    ...(publisher === undefined ? [] : [`-c.win.signtoolOptions.publisherName=${publisher}`]),
    // If there is a certificate, an unsigned installer is a mistake.
    ...(hasCertificate(environment) ? ['-c.forceCodeSigning=true'] : []),
  ];
}

const certificates = ['CSC_LINK', 'WIN_CSC_LINK'];
const hasCertificate = (environment: Environment): boolean =>
  certificates.some((name) => filled(environment[name]) !== undefined);

const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/** Parts that only the desktop app needs. */
const desktopOnly = ['dist/main/main.js', 'dist/preload', 'build'];

/**
 * Makes the archive for servers, which use their own Node, from the files of the packaged app. Returns the path of the
 * archive.
 */
function makeHeadlessArchive(app: PackedApp, name: string, output: string): string {
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
  // Windows has included tar since 2018.
  execFileSync('tar', ['-czf', archive, '-C', staging, name]);
  rmSync(staging, { recursive: true, force: true });
  return archive;
}

const componentSchema = z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() });
const bomSchema = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(componentSchema),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/** What to keep in a bill of materials. */
interface Shipped {
  readonly name: string;
  /** In the form `zod 4.6.7`. */
  readonly packages: ReadonlySet<string>;
}

/** Everything in a package as a CycloneDX bill of materials in JSON: modules, bundled packages, and the runtime. */
export function makeSbom(name: string): string {
  const locked = readLock();
  const packages = [...shippedPackages(locked), ...bundledPackages(locked)];
  const runtime = locked.filter(({ folder }) => folder === 'node_modules/electron');
  const titles = [...packages, ...runtime].map((each) => `${each.name} ${each.version}`);
  const bom = cutSbom(JSON.parse(npmSbom()), { name, packages: new Set(titles) });
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/** npm lists modules and development packages; of the latter, only bundled ones are shipped. */
export function cutSbom(bom: unknown, { name, packages }: Shipped): z.infer<typeof bomSchema> {
  const whole = bomSchema.parse(bom);
  const components = whole.components.filter((each) => packages.has(`${each.name} ${each.version}`));
  const { component } = whole.metadata;
  const refs = new Set([component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm uses the name of the checkout's folder.
  const metadata = { ...whole.metadata, component: { ...component, name } };
  return { ...whole, metadata, components, dependencies };
}

function npmSbom(): string {
  return execFileSync(
    'npm',
    ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
}

const OUTPUT = 'dist/package';
/** Time limit for building installers: large ones are compressed and signed, and notarisation takes minutes. */
const BUILD_LIMIT_MS = 60 * 60_000;
const INSTALLERS = '*.{exe,msi,dmg,zip,AppImage,deb,rpm}';

async function step(name: string, ...args: readonly string[]): Promise<void> {
  console.log(`\n${name}`);
  const end = await runStep(programStep(name, ...args), { quiet: false, limitMs: BUILD_LIMIT_MS });
  if (!end.ok) throw new Error(`${name} ended with ${end.ending}`);
}

async function makeInstallers(): Promise<void> {
  try {
    await step('Installers', 'electron-builder', ...builderArguments(process.env));
  } catch (error) {
    throw new Error(
      `The installers were not made. If GitHub cannot be reached, the builder finds neither Electron ${manifest.devDependencies.electron} nor its own tools; ` +
        'name mirrors with ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR. `npm run pack-check` inspects the packages without installers.',
      { cause: error },
    );
  }
}

function write(name: string, content: string): void {
  writeFileSync(join(OUTPUT, name), content);
  console.log(join(OUTPUT, name));
}

/** Makes the archive for servers from the package just made for this machine's platform. */
function makeHeadless(): string | undefined {
  const target = targets.find((each) => nodePlatforms[each] === process.platform);
  if (target === undefined || process.arch !== ARCH) return undefined;
  const app = packedApp(target, OUTPUT);
  if (!existsSync(app.resources)) return undefined;
  return makeHeadlessArchive(app, `${manifest.name}-${manifest.version}-headless-${target}-${ARCH}`, OUTPUT);
}

async function main(): Promise<void> {
  const notes = releaseNotes(readFileSync('CHANGELOG.md', 'utf8'), manifest.version);
  checkUpdateKey(process.env['UPDATE_PRIVATE_KEY'], updatePublicKey);
  rmSync(OUTPUT, { recursive: true, force: true });
  await step('Build', 'vite', 'build', '--app', '--logLevel', 'warn');
  writeShippedLicences();
  await makeInstallers();
  const installers = globSync(join(OUTPUT, INSTALLERS));
  const headless = makeHeadless();
  write('release-notes.md', `${notes}\n`);
  write(`sbom-${process.platform}.cdx.json`, makeSbom(manifest.name));
  writeUpdateManifest(installers);
  const all = [
    ...installers,
    ...(headless === undefined ? [] : [headless]),
    ...globSync(join(OUTPUT, '*.json')),
  ];
  write(`SHA256SUMS-${process.platform}`, await checksumLines(all));
}

function writeUpdateManifest(installers: readonly string[]): void {
  const key = process.env['UPDATE_PRIVATE_KEY'];
  if (key === undefined || key === '') {
    console.log(
      'UPDATE_PRIVATE_KEY is not set, so there is no update manifest and no desk accepts these files as an update.',
    );
    return;
  }
  const signed = signManifest(describeRelease(manifest.version, installers), key);
  for (const name of manifestNames(manifest.version, process.platform))
    write(name, `${JSON.stringify(signed, undefined, 2)}\n`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
