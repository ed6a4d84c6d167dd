import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { flipFuses, FuseState, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';

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

/**
 * Every fuse of the runtime and its state in a package. All are named, so that a fuse which a later Electron adds stops
 * the build until somebody has decided about it.
 */
const fuses = {
  // `ELECTRON_RUN_AS_NODE` would turn the signed program into a Node that runs anything.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  // Also ends `NODE_EXTRA_CA_CERTS`: the system's certificates are the ones that count (docs/operations.md).
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // macOS and Windows; Linux has no place for the checksum and ignores it.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  // Without it the check above could be walked around with a folder named `app`.
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // The pages come from `app://`; a page from a file would be someone else's.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
} as const satisfies Readonly<Record<FuseV1Options, boolean>>;

/** How many fuses are named above. */
export const FUSE_COUNT = Object.keys(fuses).length;

/**
 * Sets every fuse of a runtime. Rejects when the runtime has one that is not named above. Changed bytes break the
 * signature that macOS on Apple silicon wants of every program: it is made anew, without an identity, until the builder
 * signs over it.
 */
export async function setFuses(executable: string, signsAnew: boolean, flip = flipFuses): Promise<void> {
  await flip(executable, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: signsAnew,
    ...fuses,
  });
}

/** What differs between the fuses of a runtime and those wanted: one line each, none when all is well. */
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
