import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { err, ok } from '../../../shared/lib/result.ts';
import { noPolicy } from '../../../electron/agent/settings/policy/policy.ts';
import { FailureError } from '../../../shared/domain/failure.ts';
import { checkCommand } from '../../../electron/cli/check-command.ts';
import { checkDataDir } from '../../../electron/cli/check-data-dir.ts';
import type { Host } from '../../../electron/cli/host.ts';
import type { CheckLine, CheckName } from '../../../electron/cli/needs.ts';
import { createFakeAgent, createFakeHost, failure } from './fake-host.ts';

const fine = (name: CheckName): CheckLine => ({ name, state: 'ok', text: `${name} is fine.` });
const needs = {
  checkDataDir: () => Promise.resolve(fine('data')),
  checkFolders: () => Promise.resolve([fine('folders')]),
  checkConnection: () =>
    Promise.resolve([fine('address'), fine('tls'), fine('service'), fine('permission'), fine('clock')]),
};
const check = { kind: 'check', json: true } as const;

async function statesOf(host: Host, stdout: () => string, with_ = needs) {
  const exit = await checkCommand(check, host, with_);
  const lines = JSON.parse(stdout()) as readonly { name: string; state: string }[];
  return [exit, ...lines.map((line) => `${line.name} ${line.state}`)];
}

test('writes one line for each thing in order', async () => {
  const { host, written, folder } = await createFakeHost(createFakeAgent().agent);
  expect(await checkCommand({ kind: 'check', json: false }, host, needs)).toBe(0);
  expect(written.stdout.split('\n')).toEqual([
    `✓ OK       config      ${folder}/vms-export-agent.json is complete.`,
    '✓ OK       policy      none',
    '✓ OK       data        data is fine.',
    '✓ OK       key         A key of 12 characters was read.',
    '✓ OK       address     address is fine.',
    '✓ OK       tls         tls is fine.',
    '✓ OK       service     service is fine.',
    '✓ OK       permission  permission is fine.',
    '✓ OK       clock       clock is fine.',
    '✓ OK       folders     folders is fine.',
    '',
  ]);
});

test('a bad configuration leaves out what depends on it and decides the exit code', async () => {
  const { host, written } = await createFakeHost(createFakeAgent().agent, {
    baseUrl: 'http://x.example',
    a: 1,
  });
  const checkDataDir_ = () =>
    Promise.resolve<CheckLine>({ ...fine('data'), state: 'failed', failure: failure('DATA_FOLDER') });
  const states = await statesOf(host, () => written.stdout, { ...needs, checkDataDir: checkDataDir_ });
  expect(states).toEqual([
    10,
    'config failed',
    'config failed',
    'policy skipped',
    'data failed',
    'key skipped',
    'address skipped',
    'tls skipped',
    'service skipped',
    'permission skipped',
    'clock skipped',
    'folders skipped',
  ]);
});

test.each([
  ['is missing', () => Promise.resolve(undefined)],
  ['cannot be read', () => Promise.reject(new FailureError(failure('KEY_FILE_OPEN')))],
])('a key that %s ends with 11 without a call of the service', async (_, apiKey) => {
  const { host, written } = await createFakeHost(createFakeAgent().agent);
  const createPorts: Host['createPorts'] = (options) => ({
    ...host.createPorts(options),
    secrets: { apiKey },
  });
  const states = await statesOf({ ...host, createPorts }, () => written.stdout);
  expect(states).toEqual([
    11,
    'config ok',
    'policy ok',
    'data ok',
    'key failed',
    'address skipped',
    'tls skipped',
    'service skipped',
    'permission skipped',
    'clock skipped',
    'folders ok',
  ]);
});

test('the first failure decides; a warning does not', async () => {
  const { host, written } = await createFakeHost(createFakeAgent().agent);
  const lines: CheckLine[] = [
    { ...fine('clock'), state: 'warning' },
    { ...fine('permission'), state: 'failed', failure: failure('VIDEO_PERMISSION_MISSING') },
    fine('service'),
    { ...fine('tls'), state: 'skipped' },
    fine('address'),
  ];
  const folders = () =>
    Promise.resolve<CheckLine[]>([{ ...fine('folders'), state: 'failed', failure: failure('ROOT_MISSING') }]);
  const checkConnection = () => Promise.resolve(lines);
  const states = await statesOf(host, () => written.stdout, {
    ...needs,
    checkFolders: folders,
    checkConnection,
  });
  expect(states[0]).toBe(11);
  expect(states.slice(5)).toEqual([
    'address ok',
    'tls skipped',
    'service ok',
    'permission failed',
    'clock warning',
    'folders failed',
  ]);
});

test('a desk without a service fails in one line, and no call is made', async () => {
  const { host, written } = await createFakeHost(createFakeAgent().agent, {});
  const checkConnection = () => Promise.reject(new Error('Nothing can be called'));
  const states = await statesOf(host, () => written.stdout, { ...needs, checkConnection });
  expect(states.slice(0, 6)).toEqual([
    10,
    'config failed',
    'policy ok',
    'data ok',
    'key ok',
    'address skipped',
  ]);
  expect(JSON.parse(written.stdout)[0]).toMatchObject({ code: 'NOT_SET_UP' });
});

test('the policy has its line: how much it sets, and where it stands', async () => {
  const policy = ok({ ...noPolicy, places: ['/etc/a', '/etc/b'], count: 3 });
  const { host, written } = await createFakeHost(createFakeAgent().agent, undefined, { policy });
  await checkCommand({ kind: 'check', json: false }, host, needs);
  expect(written.stdout).toContain('✓ OK       policy      3 settings from /etc/a and /etc/b\n');
});

test('a policy that cannot be used is named as that, and decides the exit code', async () => {
  const policy = err([failure('POLICY_INVALID')]);
  const { host, written } = await createFakeHost(createFakeAgent().agent, undefined, { policy });
  const states = await statesOf(host, () => written.stdout);
  expect(states.slice(0, 4)).toEqual([10, 'config skipped', 'policy failed', 'data ok']);
});

test('looks at a data directory without creating it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'data-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'there'));
  await writeFile(join(folder, 'file'), '');
  expect(await checkDataDir(join(folder, 'there'))).toMatchObject({
    state: 'ok',
    text: expect.stringContaining('can be used'),
  });
  const later = join(folder, 'not', 'yet');
  expect(await checkDataDir(later)).toMatchObject({
    state: 'ok',
    text: expect.stringContaining('will be created'),
  });
  expect(await checkDataDir(join(folder, 'file'))).toMatchObject({
    state: 'failed',
    failure: { code: 'DATA_FOLDER' },
  });
  expect(await checkDataDir(join(folder, 'file', 'x'))).toMatchObject({
    state: 'failed',
    failure: { code: 'DATA_FOLDER' },
  });
  expect(await checkDataDir(later)).toMatchObject({ text: expect.stringContaining('will be created') });
});
