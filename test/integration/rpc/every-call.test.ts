import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { secretForms } from '../../../electron/agent/core/text/redact.ts';
import { callSchemas, type CallInput, type CallName } from '../../../shared/ipc/contract.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { CANARY_KEY, startRpcDesk } from './rpc-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** One input per call: a call that is in the contract but not here is a type error. */
type EveryCall = { readonly [Name in CallName]: CallInput<Name> };

type Desk = Awaited<ReturnType<typeof startRpcDesk>>;

async function inputsFor(desk: Desk): Promise<EveryCall> {
  const { call, simulator } = desk;
  const clips = await call('uploads.listClips', {});
  const clip = clips.ok ? clips.value.rows[0] : undefined;
  const pictured = clips.ok ? (clips.value.rows.find(({ file }) => file === 'cam1.avi')?.id ?? '') : '';
  if (clip === undefined) throw new Error('No clip is listed');
  const { periods, channels, users } = simulator.team();
  const [periodId = 0] = periods.map(({ id }) => id);
  const channelId = channels.find(({ kind }) => kind === 'channel')?.id ?? '';
  const [first, second] = users.filter(({ login_type: type }) => type === 'PHONE_NUMBER');
  const userId = first?.id ?? 0;
  const clipId = clip.id;
  const exports = await call('uploads.listExports', {});
  const [seen] = exports.ok ? exports.value.rows : [];
  if (seen === undefined) throw new Error('No export is listed');
  const target = { kind: 'clips', clipIds: [clipId] } as const;
  return {
    'uploads.listIncidents': {},
    'uploads.list': { search: 'cam', isOpen: true },
    'uploads.placeOf': { incidentId: clip.incidentId },
    'uploads.listClips': { search: 'cam', sort: 'file', order: 'ascending' },
    'uploads.listExports': {},
    'uploads.getExport': { exportId: seen.id },
    'uploads.ignoreExport': { exportId: seen.id },
    'uploads.incidentOfExport': { exportId: seen.id },
    'uploads.handover': { since: '2026-05-01T00:00:00.000Z' },
    'uploads.getIncident': { incidentId: clip.incidentId },
    'uploads.getClip': { clipId },
    'uploads.getHistory': { of: { kind: 'clip', clipId } },
    'uploads.retry': { target: { kind: 'all' } },
    'uploads.pause': { target: { kind: 'all' } },
    'uploads.resume': { target: { kind: 'all' } },
    'uploads.cancel': { target },
    'uploads.leaveOut': { clipIds: [clipId], isLeftOut: true },
    'uploads.answerRoot': { folder: '/srv/exports', answer: 'adopt' },
    'uploads.liftLimits': { isLifted: true },
    'uploads.moveToFront': { target },
    'periods.list': { range: {} },
    'actions.list': { periodId, formFields: ['department'] },
    'messages.post': { message: { kind: 'channel', channelId, content: 'Gate 4 is open' } },
    'messages.checkImage': { image: { url: 'https://images.invalid/a.png', type: 'png' } },
    'users.list': { filter: {}, page: 1, perPage: 10 },
    'users.get': { userId },
    'users.create': {
      user: { loginType: 'PHONE_NUMBER', firstName: 'Ada', lastName: 'L', phoneNumber: '+14155550123' },
    },
    'users.update': { userId, changes: { firstName: 'Ada' } },
    'users.deactivate': { userId },
    'users.remove': { userId: second?.id ?? 0 },
    'settings.get': {},
    'settings.save': { change: { users: { updateMethod: 'PUT' } } },
    'connection.check': {},
    'health.get': {},
    'health.summary': {},
    'settings.key': {},
    'settings.setKey': { key: CANARY_KEY },
    'settings.forgetKey': {},
    'names.profiles': {},
    'names.try': { name: 'Gate 4 North_20260501_193005.mp4', profile: 'auto' },
    'health.activity': {},
    'health.log': {},
    'health.bundle': {},
    'incidents.edit': { incidentId: clip.incidentId, changes: { title: 'Gate 4, edited' } },
    'incidents.applyCameras': { incidentId: clip.incidentId },
    'exports.preview': { folder: join(desk.root, 'Gate 4') },
    'cameras.unnamed': {},
    'names.preview': {
      pattern: { name: 'p', template: '{camera}_{date:YYYYMMDD}', samples: ['A_20260501.mp4'] },
      watch: { path: desk.root },
    },
    'exports.explain': { incidentId: clip.incidentId },
    'exports.push': { folders: [join(desk.root, 'Gate 4')] },
    'exports.previewUnits': { path: desk.root, unit: 'leaf', windowMinutes: 10 },
    'folders.list': { path: desk.root },
    'uploads.getThumbnail': { clipId: pictured },
    'uploads.openClip': { clipId: pictured },
    'proof.ofClip': { clipId },
    'proof.ofIncident': { incidentId: clip.incidentId },
    'proof.checkFile': { clipId },
    'proof.savePacks': { incidentIds: [clip.incidentId] },
    'settings.apply': {},
  };
}

test('checklist 18: every call of the contract is served, and the key is in no reply, no signal and no log', async (context) => {
  const picture = await readFile(new URL('../../fixtures/clips/gate-4-north.jpg', import.meta.url));
  const desk = await startRpcDesk(context, {
    files: {
      'Gate 4/cam1.avi': 300_000,
      'Gate 4/cam1.jpg': picture,
      'Gate 4/cam2.ts': 200_000,
      'Gate 5/notes.txt': 'none',
    },
  });
  await desk.startAndSettle();
  const inputs = await inputsFor(desk);
  const all = Object.keys(callSchemas) as CallName[];
  // A restart interrupts work in progress, and without its key the agent makes no more requests, so these come last
  const last: readonly CallName[] = ['settings.forgetKey', 'settings.apply'];
  const names = all.filter((name) => !last.includes(name));
  const outcomes: string[] = [];
  for (const name of names) {
    const reply = await desk.call(name, inputs[name]);
    outcomes.push(`${name} ${reply.ok ? 'ok' : JSON.stringify(reply.error)}`);
  }
  expect(outcomes).toEqual(names.map((name) => `${name} ok`));
  expect(desk.simulator.requests.of('getUsers').length).toBeGreaterThan(0);

  const { users } = desk.simulator.team();
  const { userId } = inputs['users.deactivate'];
  expect(users.find(({ id }) => id === userId)).toMatchObject({ first_name: 'Ada', is_active: false });
  expect(users.find(({ id }) => id === inputs['users.remove'].userId)).toBeUndefined();
  expect(desk.simulator.messages().map(({ content }) => content)).toEqual(['Gate 4 is open']);

  // The same with a service whose errors repeat everything it received, including the key
  const echo = JSON.stringify({ message: `Refused: Bearer ${CANARY_KEY}` });
  for (const call of teamEndpoints)
    desk.simulator.faults.add({
      match: { call },
      action: { kind: 'answer', status: 422, body: echo },
    });
  const refusals: string[] = [];
  for (const name of names.filter((each) => /^(periods|actions|messages\.post|users)/.test(each))) {
    const reply = await desk.call(name, inputs[name]);
    refusals.push(reply.ok ? `${name} ok` : reply.error.code);
  }
  expect(new Set(refusals)).toEqual(new Set(['VALIDATION']));

  await desk.until(() => desk.heard('notice').length > 0, 'a notice');
  expect(await desk.call('settings.forgetKey', inputs['settings.forgetKey'])).toMatchObject({
    ok: true,
    value: { isSet: false },
  });
  expect(await desk.call('settings.apply', inputs['settings.apply'])).toMatchObject({ ok: true });
  const left = JSON.stringify([desk.replies, desk.signals, desk.logs]);
  expect(left).toContain('Ada');
  for (const form of [...secretForms(CANARY_KEY), 'canary-key-file']) expect(left).not.toContain(form);
  const temporary = desk.replies.flatMap(
    (reply) => /"temporaryPassword":"([^"]+)"/.exec(JSON.stringify(reply))?.[1] ?? [],
  );
  expect(temporary).toHaveLength(1);
  expect(JSON.stringify([desk.signals, desk.logs])).not.toContain(temporary[0]);
});

const teamEndpoints = [
  'getPeriods',
  'getActions',
  'addChannelMessage',
  'getUsers',
  'getUser',
  'createUser',
  'updateUser',
  'deleteUser',
] as const;
