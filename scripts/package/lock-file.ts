import { readFileSync } from 'node:fs';
import { z } from 'zod';

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

/** One package of the lock file, by the folder that it is installed into: `node_modules/a/node_modules/b`. */
export interface LockedPackage extends z.infer<typeof packageSchema> {
  readonly folder: string;
  readonly name: string;
}

/** Everything that the lock file names, but for the project itself. Throws when it is no lock file of npm 7 or later. */
export function readLock(file = 'package-lock.json'): readonly LockedPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, entry]) => ({ ...entry, folder, name: nameOf(folder) }));
}

/** What is shipped as modules: neither for development nor for other platforms only. */
export function shippedPackages(locked: readonly LockedPackage[]): readonly LockedPackage[] {
  return locked.filter(({ dev, devOptional }) => dev !== true && devOptional !== true);
}

const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 13);
