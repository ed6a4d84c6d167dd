import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { setFuses } from './fuses.ts';

/** What the builder tells its hooks; only what is used here. */
interface PackedApp {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly packager: {
    readonly executableName?: string;
    readonly appInfo: { readonly productFilename: string };
  };
}

/** The builder merges two programs into a universal one and calls again for the result; the halves are left alone. */
const HALF_OF_UNIVERSAL = /-(x64|arm64)-temp$/;

/** Runs after the files are in place and before anything is signed. */
export async function afterPack(packed: PackedApp): Promise<void> {
  if (HALF_OF_UNIVERSAL.test(packed.appOutDir)) return;
  // Only macOS has the tool for it, and only there is a program for macOS made that is to run
  const signsAnew = packed.electronPlatformName === 'darwin' && process.platform === 'darwin';
  await setFuses(executableOf(packed), signsAnew);
}

function executableOf({ appOutDir, electronPlatformName, packager }: PackedApp): string {
  const { productFilename } = packager.appInfo;
  switch (electronPlatformName) {
    case 'darwin':
      return join(appOutDir, `${productFilename}.app`);
    case 'win32':
      return join(appOutDir, `${productFilename}.exe`);
    default:
      return join(appOutDir, packager.executableName ?? productFilename);
  }
}

/** One file of the MSI as the builder declares it. */
const UPDATE_FILE = /<Component[^>]*>\s*<File Name="app-update\.yml"[^>]*\/>\s*<\/Component>\s*/g;

/** Runs when the builder has described the MSI and before it is made. */
export function msiProjectCreated(file: string): void {
  writeFileSync(file, withoutUpdateFile(readFileSync(file, 'utf8')));
}

/**
 * The description without the file by which a copy knows that it may update itself: NSIS and MSI are packed from one
 * folder. Throws when it stands there in another form than the builder's.
 */
export function withoutUpdateFile(project: string): string {
  const without = project.replaceAll(UPDATE_FILE, '');
  if (without.includes('app-update.yml'))
    throw new Error(
      'The MSI would carry app-update.yml, and its copies would update themselves as if made by NSIS.',
    );
  return without;
}
