import { defineConfig } from 'vitest/config';

/** The faults that take too long for every run; see `npm run faults`. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    pool: 'forks',
    // Each uses the whole machine
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
