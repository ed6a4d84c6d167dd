import { afterAll, beforeAll } from 'vitest';
import type { WireIncidentWrite } from '../../../shared/service/incident.ts';
import { startBench, type Bench } from '../../helpers/agent-bench.ts';
import type { LoggedRequest } from '../../simulator/index.ts';
import { connectTo, type ServiceDesk } from './service-desk.ts';

/** The description that a person at the recorder wrote beside the clips. */
export const described = {
  title: 'Pitch invasion, Gate 4',
  description: 'Two persons over the barrier',
  incident_at: '2026-05-01T19:31:00+01:00',
  longitude: -0.2795,
  latitude: 51.556,
  videos: [
    {
      file: 'gate.mkv',
      camera_id: 'GATE4N',
      camera_name: 'Gate Four',
      camera_description: 'PTZ over turnstiles',
      camera_longitude: -0.2796,
      camera_latitude: 51.5561,
      started_at: '2026-05-01T18:30:00Z',
      ended_at: '2026-05-01T18:32:00Z',
      thumbnail: 'gate.jpg',
    },
  ],
};

/** A described clip with a thumbnail, one in three parts, one that storage refuses, and one without a description. */
const files = {
  'Gate 4/gate.mkv': { fixture: 'concourse.mkv' },
  'Gate 4/gate.jpg': { fixture: 'concourse.jpg' },
  'Gate 4/long.ts': 12_000_000,
  'Gate 4/refused.avi': 200_000,
  'Gate 4/incident.json': JSON.stringify(described),
  'Ramp/plain.dav': 5000,
} as const;

/** One run of the agent from folders to incidents, and its results. */
export interface EvidenceRun {
  readonly bench: Bench;
  /** The product's client in front of the same simulator. */
  readonly desk: ServiceDesk;
  /** Id of an export's incident. */
  incidentId(folder: 'Gate 4' | 'Ramp'): Promise<string>;
  /** The last body of endpoint 6 as it was received, without its wrapper. */
  written(folder: 'Gate 4' | 'Ramp'): Promise<WireIncidentWrite>;
  /** Id of a clip. */
  clipId(path: keyof typeof files): Promise<string>;
  /** The requests of a call that concern the clip's file, in order. */
  of(call: LoggedRequest['call'], path: keyof typeof files): Promise<readonly LoggedRequest[]>;
}

/** Runs the agent once for the test file that calls this. */
export function useEvidenceRun(): () => EvidenceRun {
  const endings: (() => unknown)[] = [];
  let run: EvidenceRun | undefined;
  beforeAll(async () => {
    const context = { onTestFinished: (end: () => unknown) => void endings.push(end) };
    const bench = await startBench(context as Parameters<typeof startBench>[0], {
      files,
      // No byte is sent before the service knows both incidents
      hold: { listener: 'storage' },
      before: ({ faults }) =>
        faults.add({
          id: 'refused',
          match: { call: 'putObject', pathContains: '-refused-' },
          action: { kind: 'answer', status: 413, code: 'EntityTooLarge', when: 'before' },
        }),
    });
    await bench.until(() => bench.simulator.incidents().size === 2, 'both incidents');
    bench.hold.release();
    await bench.untilIdle();
    run = describeRun(bench, connectTo(bench.simulator));
  });
  afterAll(async () => {
    run?.desk.stop();
    for (const end of endings.toReversed()) await end();
  });
  return () => {
    if (run === undefined) throw new Error('The agent has not run');
    return run;
  };
}

function describeRun(bench: Bench, desk: ServiceDesk): EvidenceRun {
  const { simulator } = bench;
  const clipId = async (path: string) => (await bench.ids(path)).clipId;
  const incidentId = async (folder: string) =>
    (await bench.ids(folder === 'Ramp' ? 'Ramp/plain.dav' : 'Gate 4/gate.mkv')).incidentId;
  return {
    bench,
    desk,
    clipId,
    incidentId,
    async written(folder) {
      const puts = simulator.requests.of('putIncident', { incidentId: await incidentId(folder) });
      const { vms_incident: incident } = (puts.at(-1)?.body ?? {}) as { vms_incident: WireIncidentWrite };
      return incident;
    },
    of: async (call, path) => simulator.requests.of(call, { fileId: await clipId(path) }),
  };
}
