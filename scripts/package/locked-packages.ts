import { globSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { readFacts } from '../../test/architecture/source-facts.ts';

const sources = ['electron/**/*.ts', 'shared/**/*.ts', 'renderer/**/*.{ts,tsx}'];
const STYLE_IMPORT = /@import\s+(?:url\()?['"]([^'"]+)['"]/g;

/**
 * Packages bundled into the program or its pages: those that the sources import, and all their dependencies. The
 * bundler drops some of the code again, but listing a package unnecessarily does no harm.
 */
export function bundledPackages(locked: readonly LockedPackage[]): readonly LockedPackage[] {
  const byFolder = new Map(locked.map((each) => [each.folder, each]));
  const found = new Map<string, LockedPackage>();
  const add = (name: string, from: string): void => {
    const each = resolve(name, from, byFolder);
    if (each === undefined || found.has(each.folder)) return;
    found.set(each.folder, each);
    for (const dependency of Object.keys(each.dependencies ?? {})) add(dependency, each.folder);
  };
  // The runtime is not bundled, and includes its own notices.
  for (const name of importedPackages()) if (name !== 'electron') add(name, '');
  return [...found.values()];
}

/** Looks up a package like Node: beside the package that needs it, then one level up, and so on. */
function resolve(
  name: string,
  from: string,
  byFolder: ReadonlyMap<string, LockedPackage>,
): LockedPackage | undefined {
  const here = byFolder.get(from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`);
  if (here !== undefined || from === '') return here;
  const end = from.lastIndexOf('/node_modules/');
  return resolve(name, end === -1 ? '' : from.slice(0, end), byFolder);
}

function importedPackages(): ReadonlySet<string> {
  const scripts = globSync(sources).flatMap((path) => readFacts(path, readFileSync(path, 'utf8')).imports);
  const styles = globSync('renderer/**/*.css').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(STYLE_IMPORT)].map((match) => match[1] ?? ''),
  );
  const outside = [...scripts, ...styles].filter(
    (each) => !each.startsWith('.') && !each.startsWith('node:'),
  );
  return new Set(outside.map((each) => each.split('/', each.startsWith('@') ? 2 : 1).join('/')));
}

const packageSchema = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
});
const lockSchema = z.looseObject({
  lockfileVersion: z.number(),
  packages: z.record(z.string(), packageSchema),
});

/** A package of the lock file, with its install folder: `node_modules/a/node_modules/b`. */
export interface LockedPackage extends z.infer<typeof packageSchema> {
  readonly folder: string;
  readonly name: string;
}

/** All packages of the lock file, without the project itself. Throws when it is not a lock file of npm 7 or later. */
export function readLock(file = 'package-lock.json'): readonly LockedPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, entry]) => ({ ...entry, folder, name: nameOf(folder) }));
}

/** Packages shipped as modules: all but those marked `dev` or `devOptional`. */
export function shippedPackages(locked: readonly LockedPackage[]): readonly LockedPackage[] {
  return locked.filter(({ dev, devOptional }) => dev !== true && devOptional !== true);
}

const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 13);
