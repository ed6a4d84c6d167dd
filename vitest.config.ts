import { globSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Programs that tests start, and threads of agents, find here what was compiled once
process.env['NODE_COMPILE_CACHE'] ??= resolve('.tmp/compile-cache');

/** Mostly pauses that are real: together or last, they would leave the processors idle. The longest first. */
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
/** -1 of a file that computes. */
const waitOf = ({ moduleId }: TestSpecification): number =>
  waiting.findIndex((name) => moduleId.endsWith(`test/integration/${name}.test.ts`));

class WaitingApart extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    const isReal = ({ project }: TestSpecification): boolean => project.name === 'real';
    const apart = sorted.filter((file) => waitOf(file) >= 0).toSorted((a, b) => waitOf(a) - waitOf(b));
    const others = sorted.filter((file) => isReal(file) && waitOf(file) < 0);
    // The last of them long before the end
    const gap = Math.floor((others.length * 0.8) / apart.length);
    for (const [index, file] of apart.entries()) others.splice(index * (gap + 1), 0, file);
    return [...sorted.filter((file) => !isReal(file)), ...others];
  }
}

/** They put something else in a module's place, which in a process of several files would stay for those that follow. */
const replacing = globSync('test/{unit,integration,contract}/**/*.test.ts')
  .filter((file) => readFileSync(file, 'utf8').includes('vi.mock('))
  .map((file) => file.replaceAll(sep, '/'));
/** As the program runs: Node strips the types, once for all processes, and nothing else stands in between. */
const asNode = { viteModuleRunner: false, nodeLoader: false };

export default defineConfig({
  test: {
    sequence: { sequencer: WaitingApart },
    tags: [{ name: 'long', description: 'What takes too long for every run; only in npm run test:long' }],
    maxWorkers: 5,
    // End a test that hangs; a machine that does other things as well may be ten times as slow
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By default a second, in which a machine that is busy starts no program
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
          // The same of the pages, whose modules import style sheets and JSX.
          name: 'pages',
          include: ['test/unit/renderer/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          // Parts of the pages in a document without a browser, over a bridge that the test answers.
          name: 'parts',
          include: ['test/unit/**/*.test.tsx'],
          environment: 'happy-dom',
          pool: 'threads',
        },
      },
      {
        extends: true,
        test: {
          // Whole agents and services, in processes whose worker threads go from agent to agent.
          name: 'real',
          include: ['test/{integration,contract}/**/*.test.ts'],
          exclude: replacing,
          pool: 'forks',
          isolate: false,
          experimental: asNode,
          // They wait longer than they compute, on timers that are their subject: five left a tenth of the time idle.
          maxWorkers: 7,
          // After the others, which compute without a pause and need fewer workers
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'alone', include: replacing, pool: 'forks' } },
    ],
    coverage: {
      provider: 'v8',
      // Code that runs in a worker thread or a child process counts as not covered; it is tested in-process as well.
      include: ['shared/**/*.ts', 'electron/**/*.ts'],
      exclude: ['**/*.d.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
