import { describe, expect, test } from 'vitest';
import { nodeStep, runStep, runSteps } from '../../../scripts/run-step.ts';

const LIMIT_MS = 20_000;
const priority = nodeStep('priority', '-e', 'setTimeout(() => console.log(os.getPriority()), 100)');

describe('a step', () => {
  test.skipIf(process.platform === 'win32')(
    'that runs behind others leaves them the processors',
    async () => {
      const usual = await runStep(priority, { quiet: true, limitMs: LIMIT_MS });
      const behind = await runStep(priority, { quiet: true, limitMs: LIMIT_MS, isBehind: true });
      expect(Number(behind.output)).toBeGreaterThan(Number(usual.output));
      const [one] = await runSteps([priority], { limitMs: LIMIT_MS, isBehind: true, shown: 'failed ones' });
      expect(one?.output).toBe(behind.output);
    },
  );

  test('that is over its time is ended, and has failed', async () => {
    const end = await runStep(nodeStep('endless', '-e', 'setInterval(() => {}, 1000)'), {
      quiet: true,
      limitMs: 300,
    });
    expect(end).toMatchObject({ ok: false, ending: expect.stringContaining('over its time') });
  });
});
