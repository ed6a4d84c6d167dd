import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Programs that tests start, and threads of agents, find here what was compiled once
process.env['NODE_COMPILE_CACHE'] ??= resolve('.tmp/compile-cache');

/** Their time is mostly pauses that are real: begun last, they would leave the processors idle at the end. */
const waiting = [
  'folders/push',
  'network/deleted-incident',
  'network/bad-minute',
  'network/bandwidth',
  'network/cut-connections',
  'disk/io-errors',
  'rpc/set-up',
  'rpc/signals',
];
const waits = ({ moduleId }: TestSpecification): boolean =>
  waiting.some((name) => moduleId.endsWith(`test/integration/${name}.test.ts`));

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    return [...sorted.filter((file) => waits(file)), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: WaitingFirst },
    tags: [{ name: 'long', description: 'What takes too long for every run; only in npm run test:long' }],
    // A test waits longer than it computes, on timers that are its subject: four left a sixth of two processors idle.
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
          // Two threads that keep their modules: no test here may leave anything behind in its process.
          name: 'pure',
          include: ['test/{unit,architecture}/**/*.test.ts'],
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
          pool: 'forks',
          isolate: false,
        },
      },
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
