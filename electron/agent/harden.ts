import { execFile } from 'node:child_process';

/** Properties of all objects that libraries give their own objects by plain assignment, at any time. */
const OVERRIDDEN: readonly PropertyKey[] = [
  'constructor',
  'hasOwnProperty',
  'toLocaleString',
  'toString',
  'valueOf',
];

/**
 * Closes `Object.prototype`: foreign data that reaches a careless merge can change no other object, and `__proto__`
 * is a name like any other. To be called once, after the program's own modules are loaded. What libraries override on
 * their own objects they still can: a frozen property alone would refuse that too.
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

/** Of util-linux, which every Linux with a package manager has. Named whole: a search path is somebody else's. */
const PRLIMIT = '/usr/bin/prlimit';
/** It needs some milliseconds. */
const LIMIT_MS = 5_000;

/**
 * From here on the system writes no memory of this process to the disk when it crashes: the key is in it. Linux only,
 * where Node has no call for it; other systems write none unless an administrator says so. Resolves with whether it was
 * done; never rejects.
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
 * Takes the signal by which Node opens a debugger, for whoever starts the program without `--disable-sigusr1`: any
 * account of the PC could attach to that port and read the key. With a listener the signal does nothing at all.
 */
export function refuseDebugger({ platform }: Pick<NodeJS.Process, 'platform'>): void {
  if (platform !== 'win32') process.on('SIGUSR1', () => undefined);
}
