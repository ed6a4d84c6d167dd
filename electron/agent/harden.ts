import { execFile } from 'node:child_process';

/** Properties that libraries may override on their own objects by plain assignment, at any time. */
const OVERRIDDEN: readonly PropertyKey[] = [
  'constructor',
  'hasOwnProperty',
  'toLocaleString',
  'toString',
  'valueOf',
];

/**
 * Locks `Object.prototype`: foreign data that reaches a careless merge cannot change other objects, and `__proto__` is
 * a name like any other. Call it once, after the program's own modules are loaded. Libraries can still override what
 * they override on their own objects; a frozen property alone would prevent that too.
 */
export function harden(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__');
  for (const name of OVERRIDDEN) makeOverridable(name);
  Object.freeze(Object.prototype);
}

function makeOverridable(name: PropertyKey): void {
  const value: unknown = Reflect.get(Object.prototype, name);
  // eslint-disable-next-line no-extend-native -- it takes possibilities away
  Object.defineProperty(Object.prototype, name, {
    get: () => value,
    set(this: object, own: unknown) {
      if (this === Object.prototype) throw new TypeError(`${String(name)} of all objects cannot be changed`);
      Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: false,
  });
}

/** Part of util-linux, on every Linux with a package manager. Absolute, because others may control a search path. */
const PRLIMIT = '/usr/bin/prlimit';
/** Time limit for the call, milliseconds; it takes only a few. */
const LIMIT_MS = 5_000;

/**
 * From here on the system does not write this process's memory to the disk when it crashes: the key is in it. Linux
 * only, where Node has no call for it; other systems write none unless an administrator says so. Resolves with whether
 * it was done; never rejects.
 */
export function forbidCoreDumps({
  platform,
  pid,
}: Pick<NodeJS.Process, 'platform' | 'pid'>): Promise<boolean> {
  if (platform !== 'linux') return Promise.resolve(false);
  return new Promise((resolve) => {
    execFile(PRLIMIT, ['--core=0:0', '--pid', String(pid)], { timeout: LIMIT_MS }, (error) =>
      resolve(error === null),
    );
  });
}

/**
 * Disables the signal by which Node opens a debugger, if the program was started without `--disable-sigusr1`: any
 * account on the PC could attach to that port and read the key. With a listener the signal does nothing.
 */
export function refuseDebugger({ platform }: Pick<NodeJS.Process, 'platform'>): void {
  if (platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
