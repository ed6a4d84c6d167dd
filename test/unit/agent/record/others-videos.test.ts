import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { createCircuits } from '../../../../electron/agent/queue/circuits.ts';
import { createIncidentQueue } from '../../../../electron/agent/queue/incident-jobs.ts';
import { runPutIncident } from '../../../../electron/agent/record/record-worker.ts';
import type { VmsIncidents } from '../../../../electron/agent/service/vms-incidents.ts';
import type { WireIncidentWrite, WireVideo } from '../../../../shared/service/incident.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { clipRow, incidentRow, openQueue } from '../../../helpers/queue-fixture.ts';

const RUNS = 50;
const STEPS = 20;
const SEED = 20_261_122;

/** A service as service.md gap 13 takes it: PUT replaces both arrays. */
class Service {
  uploaded: readonly WireVideo[] = [];
  failed: readonly WireVideo[] = [];

  readonly api = {
    get: async () => ok(structuredClone({ uploaded_videos: this.uploaded, failed_videos: this.failed })),
    put: async (_id: string, body: WireIncidentWrite) => {
      const { uploaded_videos: uploaded, failed_videos: failed } = structuredClone(body);
      Object.assign(this, { uploaded, failed });
      return ok({});
    },
  } as unknown as VmsIncidents;
}

/** One desk that writes the incident. */
async function openDesk(name: string, { api }: Service) {
  const fixture = await openQueue();
  const { tables } = fixture;
  const clock = createFakeClock();
  const events = new AgentEvents();
  const queue = createIncidentQueue(tables, clock, 'progressive');
  const logger = { info: () => undefined };
  const deps = { tables, api, queue, clock, events, logger, circuits: createCircuits(clock, events) };
  tables.incidents.insert(incidentRow());
  tables.incidents.checked('incident-1', 1, null, null);
  let count = 0;
  return {
    close: fixture.close,
    upload(): string {
      count += 1;
      const id = `${name}-${count}`;
      tables.clips.insert(clipRow({ id, path: id }));
      tables.clips.uploaded(id, `key-${id}`, null, 1);
      tables.write(() => queue.touch('incident-1'));
      return id;
    },
    async put(): Promise<void> {
      tables.write(() => queue.touch('incident-1'));
      const job = tables.jobs.of('put-incident', 'incident-1');
      if (job === undefined) throw new Error('No PUT is due');
      const outcome = await runPutIncident(deps, job, new AbortController().signal);
      if (outcome.kind !== 'done') throw new Error(`The PUT ended as ${outcome.kind}`);
      tables.write(() => {
        tables.jobs.remove(job.id);
        return outcome.commit?.();
      });
    },
  };
}

type Move = readonly ['desk' | 'other', number, 'upload' | 'put' | 'add' | 'fail' | 'remove' | 'edit'];
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(fc.constant('desk' as const), fc.nat(1), fc.constantFrom('upload' as const, 'put' as const)),
  fc.tuple(
    fc.constant('other' as const),
    fc.nat(9),
    fc.constantFrom('add' as const, 'fail' as const, 'remove' as const, 'edit' as const),
  ),
);

// service.md gap 13; 50 runs of 20 moves: 1,000 interleavings
it('videos of two desks and of another client are all there, and as they were, after any order of writes', async () => {
  const property = fc.asyncProperty(fc.array(move, { minLength: STEPS, maxLength: STEPS }), async (moves) => {
    const service = new Service();
    const desks = [await openDesk('north', service), await openDesk('south', service)];
    const expected = new Set<string>();
    const told: Set<string>[] = [new Set(), new Set()];
    let count = 0;
    try {
      for (const [who, which, what] of moves) {
        if (who === 'desk' && what === 'upload') told[which]?.add(desks[which]?.upload() ?? '');
        else if (who === 'desk') {
          const before = [...service.uploaded, ...service.failed].filter(({ id }) => !told[which]?.has(id));
          await desks[which]?.put();
          for (const id of told[which] ?? []) expected.add(id);
          const after = [...service.uploaded, ...service.failed].filter(({ id }) => !told[which]?.has(id));
          expect(after).toStrictEqual(before);
        } else if (what === 'add' || what === 'fail') {
          count += 1;
          const video = { id: `other-${count}`, storage_key: `k${count}`, rating: { stars: which } };
          if (what === 'add') service.uploaded = [...service.uploaded, video];
          else service.failed = [...service.failed, { ...video, errors: ['no line'] }];
          expected.add(video.id);
        } else {
          const mine = service.uploaded.filter(({ id }) => id.startsWith('other-'));
          const one = mine[which % Math.max(1, mine.length)];
          if (one === undefined) continue;
          const changed = what === 'edit' ? [{ ...one, note: `seen ${which}` }] : [];
          service.uploaded = service.uploaded.flatMap((video) => (video === one ? changed : [video]));
          if (what === 'remove') expected.delete(one.id);
        }
        const listed = [...service.uploaded, ...service.failed].map(({ id }) => id);
        expect(listed.toSorted()).toEqual([...expected].toSorted());
      }
    } finally {
      await Promise.all(desks.map((desk) => desk.close()));
    }
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
}, 60_000);
