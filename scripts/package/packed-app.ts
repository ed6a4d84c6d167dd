import { join } from 'node:path';
import { getRawHeader, listPackage } from '@electron/asar';

/** Platforms in the builder's words. */
export const targets = ['linux', 'win', 'mac'] as const;
export type PackTarget = (typeof targets)[number];

/** The same platforms in Node's words. */
export const nodePlatforms = { linux: 'linux', win: 'win32', mac: 'darwin' } as const;

export const PRODUCT = 'VMS Export Agent';
/** What prebuilt native modules are named by. */
export const ARCH = 'x64';

/** A packed program in a folder, before an installer is made of it. */
export interface PackedApp {
  readonly target: PackTarget;
  /** All of it. */
  readonly folder: string;
  readonly executable: string;
  readonly resources: string;
}

/** Where the builder puts a program, below its output folder. */
export function packedApp(target: PackTarget, output: string): PackedApp {
  switch (target) {
    case 'linux':
      return place(target, join(output, 'linux-unpacked'), 'vms-export-agent', 'resources');
    case 'win':
      return place(target, join(output, 'win-unpacked'), `${PRODUCT}.exe`, 'resources');
    case 'mac':
      return place(target, join(output, 'mac'), `${PRODUCT}.app`, `${PRODUCT}.app/Contents/Resources`);
  }
}

const place = (target: PackTarget, folder: string, executable: string, resources: string): PackedApp => ({
  target,
  folder,
  executable: join(folder, executable),
  resources: join(folder, resources),
});

export const asarOf = (app: PackedApp): string => join(app.resources, 'app.asar');

/** The native module that this platform needs, and no other. */
export function nativeModule(target: PackTarget): string {
  return `node_modules/better-sqlite3/prebuilds/${nodePlatforms[target]}-${ARCH}.node`;
}

/** The native modules that may be there: a universal program carries both of its halves. */
export function nativeModules(target: PackTarget): readonly string[] {
  const own = nativeModule(target);
  return target === 'mac' ? [own, own.replace(ARCH, 'arm64')] : [own];
}

/** Paths of the files in the archive, unpacked ones included, with slashes and without one in front. */
export function filesIn(asar: string): readonly string[] {
  const entries = listPackage(asar, { isPack: false }).map((entry) => entry.replaceAll('\\', '/').slice(1));
  const folders = new Set(entries.map((entry) => entry.slice(0, Math.max(0, entry.lastIndexOf('/')))));
  return entries.filter((entry) => !folders.has(entry));
}

/** The archive's header as the runtime hashes it. */
export const headerOf = (asar: string): string => getRawHeader(asar).headerString;
