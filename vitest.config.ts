import { globSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Compile cache for programs that tests start and for threads of agents
process.env['NODE_COMPILE_CACHE'] ??= resolve('.tmp/compile-cache');

/** Tests that mostly wait in real time: run together or last, they would leave the CPUs idle. The longest first. */
const waiting = [
  'disk/io-errors',
  'folders/sent-while-written-faults',
  'network/bad-minute',
  'folders/push',
  'folders/sent-while-written',
  'network/lost-uploads',
  'network/deleted-incident',
  'network/cut-connections',
  'network/slow-down',
  'folders/accounted-exports',
  'network/bandwidth',
  'rpc/set-up',
  'rpc/signals',
];
/** The file's index in `waiting`; -1 if it mostly computes. */
const waitOf = ({ moduleId }: TestSpecification): number =>
  waiting.findIndex((name) => moduleId.endsWith(`test/integration/${name}.test.ts`));

class WaitingApart extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    const isReal = ({ project }: TestSpecification): boolean => project.name === 'real';
    const apart = sorted.filter((file) => waitOf(file) >= 0).toSorted((a, b) => waitOf(a) - waitOf(b));
    const others = sorted.filter((file) => isReal(file) && waitOf(file) < 0);
    // The last of them well before the end
    const gap = Math.floor((others.length * 0.8) / apart.length);
    for (const [index, file] of apart.entries()) others.splice(index * (gap + 1), 0, file);
    return [...sorted.filter((file) => !isReal(file)), ...others];
  }
}

/**
 * These tests replace a module, and in a process with several files the replacement would affect the files after them.
 */
const replacing = globSync('test/{unit,integration,contract}/**/*.test.ts')
  .filter((file) => readFileSync(file, 'utf8').includes('vi.mock('))
  .map((file) => file.replaceAll(sep, '/'));
/** Runs as the program does: Node strips the types, once for all processes, and nothing else is in between. */
const asNode = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig({
  test: {
    sequence: { sequencer: WaitingApart },
    tags: [{ name: 'long', description: 'What takes too long for every run; only in npm run test:long' }],
    maxWorkers: 5,
    // Ends a test that hangs; a machine that is busy with other things may be ten times as slow
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default of one second is too short to start a program on a busy machine
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          // Threads that keep their modules: no test here may leave anything behind in its process.
          name: 'pure',
          include: ['test/{unit,architecture}/**/*.test.ts'],
          exclude: ['test/unit/renderer/**', ...replacing],
          pool: 'threads',
          isolate: false,
          experimental: asNode,
        },
      },
      {
        extends: true,
        test: {
          // The same for the pages, whose modules import style sheets and JSX.
          name: 'pages',
          include: ['test/unit/renderer/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // Parts of the pages in a document without a browser, over a bridge that the test controls.
          name: 'parts',
          include: ['test/unit/**/*.test.tsx'],
          environment: 'happy-dom',
          pool: 'threads',
        },
      },
      {
        extends: true,
        test: {
          // Whole agents and services, in processes whose worker threads are reused by successive agents.
          name: 'real',
          include: ['test/{integration,contract}/**/*.test.ts'],
          exclude: replacing,
          pool: 'forks',
          isolate: false,
          experimental: asNode,
          // They wait more than they compute, on the timers that they test: with five workers, a tenth of the time was
          // idle.
          maxWorkers: 7,
          // After the others, which compute all the time and need fewer workers
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'alone', include: replacing, pool: 'forks' } },
    ],
    coverage: {
      provider: 'v8',
      // Code that runs in a worker thread or a child process counts as not covered; it is also tested in-process.
      include: ['shared/**/*.ts', 'electron/**/*.ts'],
      exclude: ['**/*.d.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
