import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createBuilder, type Plugin } from 'vite';
import { packModules } from './packed-modules.ts';

/** Inserts the key where a publisher writes it. */
function keyPlugin(publicKey: string): Plugin {
  return {
    name: 'update-key',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/electron/desktop/updates/update-key.ts')) return null;
      const keyed = code.replace(/(updatePublicKey\b[^=]*= )undefined;/, `$1'${publicKey}';`);
      if (keyed === code) throw new Error('The key has no place in update-key.ts.');
      return { code: keyed, map: null };
    },
  };
}

/**
 * The main program, built with this key, in a separate copy of the app, laid out like a package: in its archive and
 * beside it (test/electron-double/asar.ts); `remove` deletes it.
 */
export async function buildKeyedMain(publicKey: string, name: string) {
  const copy = resolve('.tmp', 'installed', name);
  const archive = join(copy, 'app.asar');
  const dist = join(archive, 'dist');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  packModules(copy);
  for (const built of ['renderer', 'preload'])
    cpSync(resolve('dist', built), join(dist, built), { recursive: true });
  const builder = await createBuilder({
    configFile: resolve('vite.config.ts'),
    logLevel: 'warn',
    plugins: [keyPlugin(publicKey)],
    environments: { main: { build: { outDir: join(dist, 'main') } } },
  });
  const { main } = builder.environments;
  if (main === undefined) throw new Error('The build has no main program.');
  await builder.build(main);
  return {
    main: join(dist, 'main', 'main.js'),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
