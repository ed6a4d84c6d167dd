/**
 * Makes the installers for this platform and what belongs to them, into dist/package: `npm run package`. What the
 * environment may say (signing, notarisation, update feed and key) is in docs/release.md.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import {
  builderArguments,
  checksumLines,
  makeHeadlessArchive,
  releaseNotes,
} from './package/release-files.ts';
import { ARCH, nodePlatforms, packedApp, targets } from './package/packed-app.ts';
import { makeSbom } from './package/sbom.ts';
import { writeShippedLicences } from './package/shipped-licences.ts';
import { updatePublicKey } from '../electron/desktop/updates/update-key.ts';
import { checkUpdateKey, describeRelease, manifestNames, signManifest } from './package/update-manifest.ts';
import { programStep, runStep } from './run-step.ts';

const OUTPUT = 'dist/package';
/** Installers of several megabytes are compressed and signed; a notarisation takes minutes. */
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
      `The installers were not made. Where GitHub cannot be reached, the builder finds neither Electron ${manifest.devDependencies.electron} nor its own tools: ` +
        'ELECTRON_MIRROR and ELECTRON_BUILDER_BINARIES_MIRROR name other places. `npm run pack-check` looks at the packages without them.',
      { cause: error },
    );
  }
}

function write(name: string, content: string): void {
  writeFileSync(join(OUTPUT, name), content);
  console.log(join(OUTPUT, name));
}

/** The program for servers, out of the package that was just made for this machine's kind. */
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
      'No UPDATE_PRIVATE_KEY: the update manifest is left out, and no program takes these as an update.',
    );
    return;
  }
  const signed = signManifest(describeRelease(manifest.version, installers), key);
  for (const name of manifestNames(manifest.version, process.platform))
    write(name, `${JSON.stringify(signed, undefined, 2)}\n`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
