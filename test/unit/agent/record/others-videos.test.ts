import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { createCircuits } from '../../../../electron/agent/queue/circuits.ts';
import { createIncidentQueue } from '../../../../electron/agent/queue/incident-jobs.ts';
import { runConfirmRecord } from '../../../../electron/agent/record/check-incident.ts';
import { runPutIncident } from '../../../../electron/agent/record/record-worker.ts';
import type { VmsIncidents } from '../../../../electron/agent/service/vms-incidents.ts';
import type { WireIncidentWrite, WireVideo } from '../../../../shared/service/incident.ts';
import { deskId } from '../../../../shared/domain/ids.ts';
import { ok } from '../../../../shared/lib/result.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { clipRow, incidentRow, openQueue } from '../../../helpers/queue-fixture.ts';
import { mostlyLong } from '../../../helpers/long.ts';

const STEPS = 20;
const SEED = 20_261_122;

const idOf = ({ id }: WireVideo): string => (typeof id === 'object' ? JSON.stringify(id) : String(id));

/** A service as assumed by service.md gap 13: PUT replaces both arrays. */
class Service {
  uploaded: readonly WireVideo[] = [];
  failed: readonly WireVideo[] = [];

  #onGet = (): void => undefined;

  /** Resolves when the record is next read. */
  nextGet(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onGet = resolve;
    return promise;
  }

  readonly api = {
    get: async () => {
      this.#onGet();
      return this.lists();
    },
    put: async (_id: string, body: WireIncidentWrite) => {
      const { uploaded_videos: uploaded, failed_videos: failed } = structuredClone(body);
      Object.assign(this, { uploaded, failed });
      return ok({});
    },
  } as unknown as VmsIncidents;

  lists() {
    return ok(structuredClone({ uploaded_videos: this.uploaded, failed_videos: this.failed }));
  }
}

/** One desk that writes the incident. */
async function openDesk(name: string, service: Service) {
  const fixture = await openQueue();
  /** Holds this desk's PUT until it resolves. */
  let gate = Promise.resolve();
  let open = (): void => undefined;
  let putting: Promise<void> | undefined;
  const api: VmsIncidents = {
    ...service.api,
    put: async (...args) => gate.then(async () => service.api.put(...args)),
  };
  const { tables } = fixture;
  const clock = createFakeClock();
  const events = new AgentEvents();
  const queue = createIncidentQueue(tables, clock, 'progressive');
  const logger = { info: () => undefined };
  const deps = {
    ...{ tables, api, queue, clock, events, logger, circuits: createCircuits(clock, events) },
    deskId: deskId('desk-1'),
    isShared: true,
    restored: new Map<string, number>(),
    seen: { erases: false, unanswered: new Set<string>() },
  };
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
      await run('put-incident', runPutIncident);
    },
    /** Reads the record, and holds the PUT back. */
    async begin(): Promise<void> {
      if (putting !== undefined) return;
      ({ promise: gate, resolve: open } = Promise.withResolvers<void>());
      const begun = service.nextGet();
      putting = this.put();
      await begun;
    },
    async end(): Promise<void> {
      open();
      await putting;
      putting = undefined;
    },
    isPutting: () => putting !== undefined,
    /** Runs the jobs that follow automatically; false if there were none. */
    async goOn(): Promise<boolean> {
      const isConfirmed = await run('confirm-record', runConfirmRecord);
      return (await run('put-incident', runPutIncident)) || isConfirmed;
    },
  };

  async function run(kind: 'put-incident' | 'confirm-record', work: typeof runPutIncident): Promise<boolean> {
    const job = tables.jobs.of(kind, 'incident-1');
    if (job === undefined) return false;
    const outcome = await work(deps, job, new AbortController().signal);
    if (outcome.kind !== 'done') throw new Error(`The call ended as ${outcome.kind}`);
    const after = tables.write(() => {
      tables.jobs.remove(job.id);
      return outcome.commit?.();
    });
    after?.();
    return true;
  }
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

// service.md gap 13; a long run has 1,000 interleavings of 20 moves
mostlyLong([10, 1_000], 1, (some) =>
  it.for(some)(
    'videos of two desks and of another client are all there, and as they were, after any order of writes (%i draws)',
    { timeout: 600_000 },
    async (numRuns) => {
      const property = fc.asyncProperty(
        fc.array(move, { minLength: STEPS, maxLength: STEPS }),
        async (moves) => {
          const service = new Service();
          const desks = [await openDesk('north', service), await openDesk('south', service)];
          const expected = new Set<string>();
          const told: Set<string>[] = [new Set<string>(), new Set()];
          let count = 0;
          try {
            for (const [who, which, what] of moves) {
              if (who === 'desk' && what === 'upload') told[which]?.add(desks[which]?.upload() ?? '');
              else if (who === 'desk') {
                const before = [...service.uploaded, ...service.failed].filter(
                  (video) => !told[which]?.has(idOf(video)),
                );
                await desks[which]?.put();
                for (const id of told[which] ?? []) expected.add(id);
                const after = [...service.uploaded, ...service.failed].filter(
                  (video) => !told[which]?.has(idOf(video)),
                );
                expect(after).toStrictEqual(before);
              } else if (what === 'add' || what === 'fail') {
                count += 1;
                const video = { id: `other-${count}`, storage_key: `k${count}`, rating: { stars: which } };
                if (what === 'add') service.uploaded = [...service.uploaded, video];
                else service.failed = [...service.failed, { ...video, errors: ['no line'] }];
                expected.add(video.id);
              } else {
                const mine = service.uploaded.filter((video) => idOf(video).startsWith('other-'));
                const one = mine[which % Math.max(1, mine.length)];
                if (one === undefined) continue;
                const changed = what === 'edit' ? [{ ...one, note: `seen ${which}` }] : [];
                service.uploaded = service.uploaded.flatMap((video) => (video === one ? changed : [video]));
                if (what === 'remove') expected.delete(idOf(one));
              }
              const listed = [...service.uploaded, ...service.failed].map(({ id }) => id);
              expect(listed.toSorted()).toEqual([...expected].toSorted());
            }
          } finally {
            await Promise.all(desks.map((desk) => desk.close()));
          }
        },
      );
      await fc.assert(property, { seed: SEED, numRuns });
    },
  ),
);

type Step = readonly [desk: number, what: 'upload' | 'begin' | 'end'];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.nat(1),
  fc.constantFrom('upload' as const, 'begin' as const, 'end' as const),
);

// service.md gap 13: nothing prevents another client's PUT between our GET and our PUT
mostlyLong([5, 250], 1, (some) =>
  it.for(some)(
    'clips of two desks are listed in the end, however the GETs and PUTs of 40 steps come between each other (%i draws)',
    { timeout: 600_000 },
    async (numRuns) => {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 2 * STEPS, maxLength: 2 * STEPS }),
        async (steps) => {
          const service = new Service();
          service.uploaded = [{ id: 'other-1', rating: { stars: 3 } }];
          const desks = [await openDesk('north', service), await openDesk('south', service)];
          const expected = ['other-1'];
          try {
            for (const [which, what] of steps) {
              const desk = desks[which];
              if (what === 'begin') await desk?.begin();
              else if (what === 'end') await desk?.end();
              else if (desk?.isPutting() === false) expected.push(desk.upload());
            }
            for (const desk of desks) await desk.end();
            for (let rounds = 0; await goOn(desks); rounds += 1) expect(rounds).toBeLessThan(10);
            const listed = [...service.uploaded, ...service.failed].map(({ id }) => id);
            expect(listed.toSorted()).toEqual(expected.toSorted());
          } finally {
            await Promise.all(desks.map((desk) => desk.close()));
          }
        },
      );
      await fc.assert(property, { seed: SEED, numRuns });
    },
  ),
);

async function goOn(desks: readonly { goOn(): Promise<boolean> }[]): Promise<boolean> {
  let isAny = false;
  for (const desk of desks) isAny = (await desk.goOn()) || isAny;
  return isAny;
}
