import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Tables } from '../../../../electron/agent/store/tables.ts';
import { noteChanges } from '../../../../electron/agent/calls/change-signals.ts';
import {
  clipRow,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let tables: Tables;
let noted: (readonly string[] | undefined)[];

beforeEach(async () => {
  queue = await openQueue();
  onTestFinished(() => queue.close());
  queue.tables.desk.identify({ deskId: 'desk', queueId: 'queue-1', starts: 1 });
  queue.tables.incidents.insert(incidentRow());
  noted = [];
  tables = noteChanges(queue.tables, (ids) => void noted.push(ids));
});

it.each<[string, (on: Tables['incidents']) => unknown]>([
  ['touched', (on) => on.touch('incident-1', 5)],
  ['told to the service', (on) => on.synced('incident-1', 5, 1, '{}')],
  ['refused by the service', (on) => on.fail('incident-1', '{}')],
  ['without its folder', (on) => on.setFolderGone('incident-1', true)],
])('an incident that is %s is named', (_, change) => {
  const before = queue.tables.incidents.byId('incident-1');
  change(tables.incidents);
  expect(noted).toEqual([['incident-1']]);
  expect(queue.tables.incidents.byId('incident-1')).not.toEqual(before);
});

it('an incident whose work is taken up is named, and a look that finds none is not', () => {
  queue.tables.clips.insert(clipRow());
  queue.tables.jobs.put(jobRow());
  expect(tables.jobs.claim('small', 5, 'me', 10)).toHaveLength(1);
  expect(noted).toEqual([['incident-1']]);
  expect(tables.jobs.claim('small', 5, 'me', 10)).toEqual([]);
  expect(noted).toHaveLength(1);
});

it('what another process wrote is noticed when it is looked for, once', () => {
  tables.dataVersion();
  tables.dataVersion();
  expect(noted).toEqual([]);
  queue.another().tables.incidents.touch('incident-1', 9);
  tables.dataVersion();
  tables.dataVersion();
  expect(noted).toEqual([undefined]);
});
