import { bundledPackages } from './bundled-packages.ts';
import { writeLicences } from './licences.ts';
import { readLock, shippedPackages, type LockedPackage } from './lock-file.ts';

/** Where the builder takes it from. */
export const LICENCES_FILE = 'dist/licences.txt';

/** Writes the licences of all that is in a package; answers the packages that are shipped as modules. */
export function writeShippedLicences(): readonly LockedPackage[] {
  const locked = readLock();
  const shipped = shippedPackages(locked);
  writeLicences([...shipped, ...bundledPackages(locked)], LICENCES_FILE);
  return shipped;
}
