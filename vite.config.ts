import { globSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { parse } from 'node:path';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

/** Packages that are shipped beside the bundle instead of inside it: native modules, WebAssembly, and what they use. */
const shipped = new RegExp(`^(electron|${Object.keys(manifest.dependencies).join('|')})(/|$)`);
const builtin = new RegExp(`^(node:.*|${builtinModules.join('|')})$`);

/** A bundle that Node runs: one ES module for each entry, workers included. */
function nodeEnvironment(outDir: string, entries: Readonly<Record<string, string>>): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { conditions: ['node', 'import', 'module', 'default'] },
    build: {
      outDir,
      emptyOutDir: true,
      ssr: true,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: { ...entries },
        external: [shipped, builtin],
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  };
}

/** Workers are named by their source file, which runs as it is in development; the bundle has them as .js beside it. */
const workerFiles: Plugin = {
  name: 'worker-files',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('-worker.ts')) return null;
    const built = code.replaceAll(/(new URL\('\.\/[a-z-]+-worker)\.ts(', import\.meta\.url\))/g, '$1.js$2');
    // Nothing moves, so the source map needs no change.
    return { code: built, map: null };
  },
};

/** What is built today. The renderer and the preload script become one entry each, with folders of their own. */
const environments: Readonly<Record<string, EnvironmentOptions>> = {
  main: nodeEnvironment('dist/main', {
    headless: 'electron/headless.ts',
    ...Object.fromEntries(
      globSync('electron/agent/media/*-worker.ts').map((file) => [parse(file).name, file]),
    ),
  }),
};

export default defineConfig({
  publicDir: false,
  plugins: [workerFiles],
  environments: { ...environments },
  builder: {
    async buildApp(builder) {
      for (const name of Object.keys(environments)) {
        const environment = builder.environments[name];
        if (environment !== undefined) await builder.build(environment);
      }
    },
  },
});
