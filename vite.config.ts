import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, parse, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';
import manifest from './package.json' with { type: 'json' };

/** Packages that read watched folders themselves and are therefore given another file system. */
const watching = ['chokidar', 'readdirp'];
/**
 * Packages shipped beside the bundle: native modules, WebAssembly, CommonJS that finds its own files. All others are
 * bundled.
 */
const shipped = new RegExp(`^(electron|${Object.keys(manifest.dependencies).join('|')})(/|$)`);
const builtin = new RegExp(`^(node:.*|${builtinModules.join('|')})$`);

/** A bundle for Node: one ES module per entry, including workers. */
function nodeEnvironment(outDir: string, entries: Readonly<Record<string, string>>): EnvironmentOptions {
  return {
    consumer: 'server',
    // Opening some 300 files takes longer than running their code
    resolve: { conditions: ['node', 'import', 'module', 'default'], noExternal: true },
    build: {
      outDir: resolve(outDir),
      emptyOutDir: true,
      ssr: true,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: { ...entries },
        external: [shipped, builtin],
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // Packages name files with more than one dot
          chunkFileNames: ({ name }) => `${name.replaceAll('.', '-')}.js`,
        },
      },
    },
  };
}

/** The windows' preload script: one CommonJS file, as the sandbox requires; it has nothing but Electron. */
const preloadEnvironment: EnvironmentOptions = {
  consumer: 'server',
  // Sandboxed scripts cannot `require` anything else: their imports are bundled
  resolve: { noExternal: true },
  build: {
    outDir: resolve('dist/preload'),
    emptyOutDir: true,
    ssr: true,
    target: 'chrome150',
    minify: false,
    sourcemap: false,
    rolldownOptions: {
      input: { preload: resolve('electron/preload.ts') },
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
};

/**
 * Workers are named by their source file, which runs directly in development; in the bundle they are .js files beside
 * it.
 */
const workerFiles: Plugin = {
  name: 'worker-files',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('-worker.ts')) return null;
    const named = /new URL\('\.\/(?:[a-z-]+\/)*([a-z-]+-worker)\.ts', import\.meta\.url\)/g;
    const built = code.replaceAll(named, "new URL('./$1.js', import.meta.url)");
    // Nothing moves, so the source map needs no change.
    return { code: built, map: null };
  },
};

/**
 * Like electron/agent/files/plain-fs.ts: in Electron, `node:fs` takes files named `*.asar` for folders, and keeps them
 * open.
 */
const hintsWithoutArchives: Plugin = {
  name: 'hints-without-archives',
  enforce: 'pre',
  transform(code, id) {
    if (!watching.some((name) => id.includes(`/node_modules/${name}/`))) return null;
    const original = "(process.getBuiltinModule('original-fs') ?? process.getBuiltinModule('node:fs'))";
    const plain = code.replaceAll(
      /^import \{([^}]+)\} from 'node:fs(\/promises)?';/gm,
      (_, names: string, promises?: string) =>
        `const {${names.replaceAll(' as ', ': ')}} = ${original}${promises === undefined ? '' : '.promises'};`,
    );
    if (/['"](node:)?fs(\/promises)?['"]\s*;/.test(plain)) throw new Error(`${id} loads fs in another way`);
    return { code: plain, map: null };
  },
};

/** The tray icons, as files beside the program. */
const trayPictures: Plugin = {
  name: 'tray-pictures',
  applyToEnvironment: ({ name }) => name === 'main',
  generateBundle() {
    for (const file of globSync('build/tray/*.png'))
      this.emitFile({ type: 'asset', fileName: `tray/${parse(file).base}`, source: readFileSync(file) });
  },
};

/** The component library's translations, one file per language. */
const wordsOfLibrary = /\/react-(aria|stately|aria-components)\/dist\/private\/.*\bintlStrings\.mjs$/;

/**
 * The component library includes texts in 34 languages, an eighth of the pages; the app only has English. It looks for
 * `en-US` when it does not know the page's language. A language that is added to the app must be added here.
 */
const englishLibrary: Plugin = {
  name: 'english-library',
  enforce: 'pre',
  transform(code, id) {
    if (!wordsOfLibrary.test(id)) return null;
    const english = /from "(?<file>[^"]+\/en-US\.mjs)"/.exec(code)?.groups?.['file'];
    if (english === undefined) throw new Error(`No English words in ${id}`);
    return { code: `import words from '${english}';\nexport default { 'en-US': words };`, map: null };
  },
};

/** Schemas contain the descriptions for docs/settings.md; the pages have their own. */
const noDescriptions: Plugin = {
  name: 'no-descriptions',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!/\/shared\/domain\/[^/]+\.ts$/.test(id) || !code.includes('.describe(')) return null;
    const described = /\s*\.describe\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`),?\s*\)/g;
    return { code: code.replaceAll(described, ''), map: null };
  },
};

/** Every schema can convert itself to JSON Schema. The pages never do, and the library cannot know that. */
const noJsonSchema: Plugin = {
  name: 'no-json-schema',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!/\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/.test(id)) return null;
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
    if (names.length === 0) throw new Error(`No exports in ${id}`);
    const exports = names.map((name) => `none as ${name}`).join(', ');
    return { code: `const none = () => undefined;\nexport { ${exports} };`, map: null };
  },
};

/** Schemas describe errors in words. In the pages nobody reads these: they have their own, by code and path. */
const noSchemaWords: Plugin = {
  name: 'no-schema-words',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(_code, id) {
    if (!id.endsWith('/zod/v4/locales/en.js')) return null;
    return { code: "export default () => ({ localeError: () => 'Invalid input' });", map: null };
  },
};

/** Many schemas are only for the agent. `shared` is pure, so the pages can leave out those that they never use. */
const noUnusedSchemas: Plugin = {
  name: 'no-unused-schemas',
  applyToEnvironment: ({ name }) => name === 'client',
  transform(code, id) {
    if (!/\/shared\/[^?]+\.ts$/.test(id)) return null;
    const made = this.parse(code).body.flatMap((node) => {
      const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      return declared?.type === 'VariableDeclaration'
        ? declared.declarations.flatMap(({ init }) => init ?? [])
        : [];
    });
    const marked = made
      .filter(({ start, end }) => /\bz\b/.test(code.slice(start, end)))
      .reduceRight(
        (text, { start, end }) =>
          `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
        code,
      );
    return { code: marked, map: null };
  },
};

/**
 * Makes the chunk `first` a script of its own before the app's, instead of a part of it that is only preloaded: it runs
 * as soon as it has arrived.
 */
const firstScript: Plugin = {
  name: 'first-script',
  transformIndexHtml: {
    order: 'post',
    handler(html, { path }) {
      const [link] = /<link rel="modulepreload" crossorigin href="[^"]*\/first-[^"]+">/.exec(html) ?? [];
      if ((link !== undefined) !== path.endsWith('/index.html'))
        throw new Error(`The first script of ${path}`);
      if (link === undefined) return html;
      const script = `${link.replace('<link rel="modulepreload"', '<script type="module"').replace('href', 'src')}</script>`;
      return html.replace(link, '').replace('<script', `${script}\n    <script`);
    },
  },
};

/** The pages of the windows and of the web console: everything in separate files, nothing from elsewhere. */
const rendererEnvironment: EnvironmentOptions = {
  build: {
    outDir: resolve('dist/renderer'),
    emptyOutDir: true,
    target: 'chrome150',
    sourcemap: false,
    // An asset inside a style sheet or a script would be a data: address, which the pages' content policy refuses.
    assetsInlineLimit: 0,
    // They are loaded from this PC: a large one costs no more than its contents
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    // Small style sheets compress badly too, and this way no screen waits for one when it opens
    cssCodeSplit: false,
    rolldownOptions: {
      input: [resolve('renderer/index.html'), resolve('renderer/thumbnailer.html')],
      output: {
        // Each screen is one file, and code shared by several is one file too instead of thirty: small ones compress
        // badly.
        codeSplitting: {
          groups: [
            { name: 'csv', test: /node_modules\/papaparse\//, priority: 2 },
            // Schemas are configured before the first one is created, here or in the page that makes thumbnails
            {
              name: 'zod',
              test: /\/(interpreted-schemas|thumbnail-answer)\.ts$|node_modules\/zod\//,
              priority: 3,
            },
            { name: 'first', test: /\/first-answers\.ts$/, priority: 2 },
            { name: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
};

const environments: Readonly<Record<string, EnvironmentOptions>> = {
  client: rendererEnvironment,
  main: nodeEnvironment('dist/main', {
    main: resolve('electron/main.ts'),
    headless: resolve('electron/headless.ts'),
    ...Object.fromEntries(
      globSync('electron/agent/{service,files,store,upload/thread}/**/*-worker.ts').map((file) => [
        parse(file).name,
        resolve(file),
      ]),
    ),
  }),
  preload: preloadEnvironment,
};

export default defineConfig({
  root: 'renderer',
  base: './',
  publicDir: false,
  plugins: [
    workerFiles,
    hintsWithoutArchives,
    trayPictures,
    englishLibrary,
    noDescriptions,
    noJsonSchema,
    noSchemaWords,
    noUnusedSchemas,
    firstScript,
    react(),
  ],
  // Names without a hash compress better; no two style sheets of the pages share a name
  css: {
    modules: { generateScopedName: (name, file) => `${name}-${basename(file, '.module.css')}` },
  },
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
