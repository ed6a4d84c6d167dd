import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEED, useAnswerDesk } from './answer-desk.ts';
import { everyCall } from './every-call.ts';
import {
  cutOff,
  largeNumbers,
  monsters,
  noise,
  withoutId,
  withStatus,
  withWrongType,
} from './mutilations.ts';
import { mostlyLong } from '../../helpers/long.ts';

const desk = useAnswerDesk();
/**
 * Most processor time of one call, milliseconds; other load on the machine does not count. Unbounded work takes
 * seconds.
 */
const CALL_LIMIT_MS = 2_000;

/** Processor time of this process since then, milliseconds. */
function computedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

mostlyLong([5, 25], 1, (some) =>
  describe.for(some)('an answer that is not one is one failure, drawn %i times', (numRuns) => {
    it.each(everyCall)('input D3: of $name when it is cut off at any byte', async (known) => {
      const property = fc.asyncProperty(cutOff(known.shape), async (answer) => {
        expect(await desk().ask(known, answer)).toMatchObject({ ok: false });
      });
      await fc.assert(property, { seed: SEED, numRuns });
    });

    it.each(everyCall)('of $name when its status says so', async (known) => {
      const property = fc.asyncProperty(withStatus(known.shape), async (answer) => {
        const result = await desk().ask(known, answer);
        expect(result).toMatchObject({ ok: false, error: { status: answer.status } });
      });
      await fc.assert(property, { seed: SEED, numRuns });
    });

    it.each(everyCall)('of $name when it is noise', async (known) => {
      const property = fc.asyncProperty(noise, async (answer) => {
        expect(await desk().ask(known, answer)).toMatchObject({ ok: false });
      });
      await fc.assert(property, { seed: SEED, numRuns });
    });

    const named = everyCall.filter(({ shape }) => shape !== 'message' && shape !== 'uploadUrls');
    it.each(named)('input D9: of $name when an id in it is none', async (known) => {
      let asked = 0;
      const property = fc.asyncProperty(withoutId(known.shape), async (answer) => {
        if (answer === undefined) return;
        asked += 1;
        expect(await desk().ask(known, answer)).toMatchObject({ ok: false, error: { code: 'API_SHAPE' } });
      });
      await fc.assert(property, { seed: SEED, numRuns });
      expect(asked).toBeGreaterThan(numRuns / 3);
    });
  }),
);

describe('an answer that is not one is one failure', () => {
  mostlyLong(everyCall, 2, (some) =>
    it.each(some)('of $name when it is too much, and soon', async (known) => {
      for (const [what, answer] of monsters(known.shape)) {
        const before = process.cpuUsage();
        expect(await desk().ask(known, answer), what).toMatchObject({ ok: false });
        expect(computedMs(before), what).toBeLessThan(CALL_LIMIT_MS);
      }
    }),
  );
});

describe('an answer with a number that JavaScript would round', () => {
  it.each(everyCall)('input D12: is read by $name when nobody asked for it, and soon', async (known) => {
    for (const answer of largeNumbers(known.shape)) {
      const before = process.cpuUsage();
      expect(await desk().ask(known, answer)).toMatchObject({ ok: true });
      expect(computedMs(before)).toBeLessThan(CALL_LIMIT_MS);
    }
  });
});

mostlyLong([8, 50], 1, (some) =>
  describe.for(some)('an answer with a value of another type, drawn %i times', (numRuns) => {
    it.each(everyCall)('input D8: is read by $name as far as it can be, or is one failure', async (known) => {
      const property = fc.asyncProperty(withWrongType(known.shape), async (answer) => {
        const result = await desk().ask(known, answer);
        expect(Object.keys(result)).toContain('ok');
        expect('polluted' in {}).toBe(false);
      });
      await fc.assert(property, { seed: SEED, numRuns });
    });
  }),
);
