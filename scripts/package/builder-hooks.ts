import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { flipFuses, FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';

/** What the builder passes to its hooks; only the parts used here. */
interface PackedApp {
  readonly appOutDir: string;
  readonly electronPlatformName: string;
  readonly packager: {
    readonly executableName?: string;
    readonly appInfo: { readonly productFilename: string };
  };
}

/**
 * The builder merges two programs into a universal one, and calls the hook again for the result; the halves are
 * skipped.
 */
const HALF_OF_UNIVERSAL = /-(x64|arm64)-temp$/;

/** Runs after the files are in place and before signing. */
export async function afterPack(packed: PackedApp): Promise<void> {
  if (HALF_OF_UNIVERSAL.test(packed.appOutDir)) return;
  // Only macOS has the tool for it, and macOS programs that have to run are only made there
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

/** The component of app-update.yml in the MSI, as the builder declares it. */
const UPDATE_FILE = /<Component[^>]*>\s*<File Name="app-update\.yml"[^>]*\/>\s*<\/Component>\s*/g;

/** Runs after the builder has described the MSI and before it is made. */
export function msiProjectCreated(file: string): void {
  writeFileSync(file, withoutUpdateFile(readFileSync(file, 'utf8')));
}

/**
 * The MSI description without the file that enables automatic updates: NSIS and MSI are packed from the same folder.
 * Throws when the file is declared in an unexpected form.
 */
export function withoutUpdateFile(project: string): string {
  const without = project.replaceAll(UPDATE_FILE, '');
  if (without.includes('app-update.yml'))
    throw new Error(
      'The MSI would carry app-update.yml, and its copies would update themselves as if made by NSIS.',
    );
  return without;
}

/**
 * Every fuse of the runtime, with its state in a package. All are listed, so that a fuse added by a later Electron
 * fails the build until somebody has decided about it.
 */
const fuses = {
  // `ELECTRON_RUN_AS_NODE` would turn the signed program into a Node that runs anything.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  // Also disables `NODE_EXTRA_CA_CERTS`: the system's certificates are used instead (docs/operations.md).
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // For macOS and Windows; Linux has no place for the checksum and ignores it.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  // Otherwise a folder named `app` could bypass the check above.
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // The pages come from `app://`; a page from a file would not be ours.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies Readonly<Record<FuseV1Options, boolean>>;

/** Number of fuses listed above. */
export const FUSE_COUNT = Object.keys(fuses).length;

/**
 * Sets every fuse of a runtime. Rejects when the runtime has one that is not listed above. Changing bytes breaks the
 * signature that macOS on Apple silicon requires of every program: an ad-hoc one is made until the builder signs over
 * it.
 */
export async function setFuses(executable: string, signsAnew: boolean, flip = flipFuses): Promise<void> {
  await flip(executable, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: signsAnew,
    ...fuses,
  });
}

/** The fuses of a runtime that are not as wanted, one line each. */
export async function wrongFuses(executable: string): Promise<readonly string[]> {
  const { version: _version, ...states } = await getCurrentFuseWire(executable);
  const found = new Map(Object.entries(states));
  const wrong = Object.entries(fuses).flatMap(([index, isOn]) => {
    const state = found.get(index);
    if (state === (isOn ? FuseState.ENABLE : FuseState.DISABLE)) return [];
    return [`fuse ${nameOf(index)} is ${describeState(state)}, wanted ${isOn ? 'on' : 'off'}`];
  });
  const unknown = [...found.keys()].filter((index) => !Object.hasOwn(fuses, index));
  return [...wrong, ...unknown.map((index) => `fuse ${index} of this runtime is not named`)];
}

const nameOf = (index: string): string => FuseV1Options[Number(index)] ?? index;

function describeState(state: unknown): string {
  if (state === FuseState.ENABLE) return 'on';
  return state === FuseState.DISABLE ? 'off' : `neither on nor off (${String(state)})`;
}
