import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 200_000, 'Gate 4/b.ts': 6_000_000, 'Ramp/c.avi': 200_000 };

/** Attempts before the pause has grown to half a minute: after 2, 4, 8 and 16 s, plus the call already in progress. */
const FIRST_TRIES = 6;

// No other incident shows whether the service refuses this one or everything, so it waits and continues automatically
mostlyLong([404, 410], 1, (some) =>
  test.concurrent.for(some)(
    'fault 62: clips of an incident that the service does not know any more (%s) wait with the reason, and go on when it is there',
    async (status, context) => {
      const bench = await startBench(context, { files: { 'Gate 4/a.avi': files['Gate 4/a.avi'] } });
      await bench.untilIdle();
      const { incidentId } = await bench.ids('Gate 4/a.avi');
      const deleted = {
        kind: 'answer',
        status,
        body: { message: 'Incident not found' },
        when: 'before',
      } as const;
      bench.simulator.faults.add({ match: { incidentId, listener: 'service' }, action: deleted });
      // The longest pauses, so that the number of attempts depends on time and not on the machine's speed
      bench.clock.setRandom(0.999);
      const from = bench.clock.now();
      for (const [path, spec] of Object.entries(files).slice(1)) await bench.write(path, spec);
      await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
      await bench.until(
        () => bench.of('clip.uploaded').some(({ file }) => file === 'c.avi'),
        'the other one',
      );
      await bench.until(() => (bench.skip(1_000), bench.clock.skippedMs() > 600_000), 'ten minutes');
      expect(bench.of('circuit.paused')).toMatchObject([{ circuit: 'service', code: 'NOT_FOUND' }]);
      expect(bench.of('clip.failed')).toEqual([]);
      const asked = bench.simulator.requests.all().filter(({ faultId }) => faultId !== undefined);
      // Frequently at first, then every 30 s: a call for the clip, and a GET and a PUT of the incident
      const most = FIRST_TRIES + (bench.clock.now() - from) / 30_000;
      for (const call of ['createMultipartUpload', 'getIncident', 'putIncident'])
        expect(asked.filter((request) => request.call === call).length, call).toBeLessThanOrEqual(most);

      bench.simulator.faults.clear();
      bench.clock.setRandom(0);
      bench.skip(60_000);
      await bench.untilIdle();
      await bench.expectWhole({ files });
    },
  ),
);
