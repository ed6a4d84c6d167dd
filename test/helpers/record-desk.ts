import type { IncomingMessage, ServerResponse } from 'node:http';
import { deskId, type DeskId } from '../../shared/domain/ids.ts';
import { createHttp } from '../../electron/agent/service/http.ts';
import { createServiceClock } from '../../electron/agent/service/service-clock.ts';
import { createVmsIncidents, type VmsIncidents } from '../../electron/agent/service/vms-incidents.ts';
import type { JobRow } from '../../electron/agent/store/job-rows.ts';
import { AgentEvents, type AgentEvent } from '../../electron/agent/events.ts';
import {
  createIncidentQueue,
  type IncidentQueue,
  createThumbnailJobs,
} from '../../electron/agent/queue/incident-jobs.ts';
import { createClipResults, type ClipResults } from '../../electron/agent/queue/clip-results.ts';
import { createCircuits, type Circuits } from '../../electron/agent/queue/circuits.ts';
import { startAnswerServer, type AnswerServer } from './answer-server.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createKeptLog, openQueue, type KeptLog, type QueueFixture } from './queue-fixture.ts';

/** Everything that the calls about records need: a real queue, a real client, and a server that the test controls. */
export interface RecordDesk {
  readonly queue: QueueFixture;
  readonly tables: QueueFixture['tables'];
  readonly api: VmsIncidents;
  readonly incidents: IncidentQueue;
  readonly circuits: Circuits;
  readonly clock: FakeClock;
  readonly logger: KeptLog;
  readonly events: AgentEvents;
  readonly told: AgentEvent[];
  readonly server: AnswerServer;
  /** Status and body of the next answers, depending on the request. */
  answer: (request: IncomingMessage) => readonly [status: number, body: unknown];
  /** Body of the last request. */
  lastBody(): unknown;
  readonly results: Pick<ClipResults, 'incidentGivenUp'>;
  readonly deskId: DeskId;
  readonly restored: Map<string, number>;
  readonly seen: { erases: boolean; readonly unanswered: Set<string> };
  job(kind: JobRow['kind'], subject: string): JobRow;
  close(): Promise<void>;
}

export async function openRecordDesk(): Promise<RecordDesk> {
  const queue = await openQueue();
  const clock = createFakeClock();
  const events = new AgentEvents();
  const told: AgentEvent[] = [];
  events.on((event) => told.push(event));
  const server = await startAnswerServer((request: IncomingMessage, response: ServerResponse) => {
    const [status, body] = desk.answer(request);
    response.writeHead(status, { date: new Date(clock.now()).toUTCString() }).end(JSON.stringify(body));
  });
  const http = createHttp(
    { baseUrl: server.baseUrl, auth: { scheme: 'bearer' }, userAgent: 'test' },
    { apiKey: async () => 'a-key-for-tests' },
  );
  const { tables } = queue;
  const incidents = createIncidentQueue(tables, clock, 'progressive');
  const thumbnailJobs = createThumbnailJobs(tables, clock, false);
  const meter = { ended: () => undefined };
  const desk: RecordDesk = {
    queue,
    tables,
    api: createVmsIncidents(http, createServiceClock(clock, events)),
    incidents,
    deskId: deskId('desk-1'),
    restored: new Map(),
    seen: { erases: false, unanswered: new Set<string>() },
    results: createClipResults({ tables, queue: incidents, events, meter, thumbnailJobs, clock }),
    circuits: createCircuits(clock, events),
    clock,
    logger: createKeptLog(),
    events,
    told,
    server,
    answer: () => [200, { vms_incident: {} }],
    lastBody: () => JSON.parse(server.bodies.at(-1) ?? 'null'),
    job(kind, subject) {
      const row = tables.jobs.of(kind, subject);
      if (row === undefined) throw new Error(`There is no job ${kind} ${subject}`);
      return row;
    },
    async close() {
      http.stop();
      await server.close();
      await queue.close();
    },
  };
  return desk;
}
