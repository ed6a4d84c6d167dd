import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The module that a package keeps partly outside its archive. */
const NATIVE = 'better-sqlite3';

/**
 * Puts the modules of this checkout into the folder's `app.asar`, laid out as in a package: the archive has only the
 * name of a native file (test/electron-double/asar.ts). Returns the path of that file itself.
 */
export function packModules(resources: string): string {
  const packed = join(resources, 'app.asar', 'node_modules');
  const unpacked = join(resources, 'app.asar.unpacked', 'node_modules');
  const own = join(NATIVE, 'prebuilds');
  for (const folder of [packed, unpacked]) mkdirSync(join(folder, own), { recursive: true });
  for (const name of readdirSync('node_modules'))
    if (name !== NATIVE && !name.startsWith('.'))
      symlinkSync(resolve('node_modules', name), join(packed, name));
  for (const part of ['lib', 'package.json'])
    cpSync(resolve('node_modules', NATIVE, part), join(packed, NATIVE, part), { recursive: true });
  const file = join(own, `${process.platform}-${process.arch}.node`);
  writeFileSync(join(packed, file), '');
  cpSync(resolve('node_modules', file), join(unpacked, file));
  return join(unpacked, file);
}
