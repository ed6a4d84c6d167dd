import { join } from 'node:path';
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
