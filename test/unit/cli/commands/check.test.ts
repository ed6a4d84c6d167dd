import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FailureError } from '../../../../shared/domain/failure.ts';
import type { CheckLine } from '../../../../shared/domain/health.ts';
import { err, ok } from '../../../../shared/lib/result.ts';
import type { checkConnection } from '../../../../electron/agent/service/check-connection.ts';
import { noPolicy } from '../../../../electron/agent/settings/policy/policy.ts';
import { check } from '../../../../electron/cli/commands/check.ts';
import type { Deps } from '../../../../electron/cli/deps.ts';
import { createFakeAgent, createFakeDeps, failure } from '../fake-deps.ts';

type OnlineLine = Awaited<ReturnType<typeof checkConnection>>[number];

const fine = (name: OnlineLine['name']): OnlineLine => ({ name, state: 'ok', text: `${name} is fine.` });
const allFine = () =>
  Promise.resolve([fine('address'), fine('tls'), fine('service'), fine('permission'), fine('clock')]);
const input = { config: undefined, dataDir: undefined, json: true };
const settings = { baseUrl: 'https://api.example.com', watch: [{ path: 'in' }] };

/** Deps of a PC without problems: a folder to watch, and a service that answers. */
async function createFineDeps(written: unknown = settings, options = {}) {
  const fake = await createFakeDeps(createFakeAgent().agent, written, options);
  await mkdir(join(fake.folder, 'in'));
  return { ...fake, deps: { ...fake.deps, checkConnection: allFine } };
}

async function statesOf(deps: Deps, stdout: () => string, options = {}) {
  const exit = await check.run({ ...input, ...options }, deps);
  const lines: readonly CheckLine[] = JSON.parse(stdout());
  return [exit, ...lines.map((line) => `${line.name} ${line.state}`)];
}

test('writes one line for each thing in order', async () => {
  const { deps, written, folder } = await createFineDeps();
  expect(await check.run({ ...input, json: false }, deps)).toBe(0);
  expect(written.stdout.split('\n')).toEqual([
    `✓ OK       config      The configuration ${folder}/vms-export-agent.json is complete.`,
    '✓ OK       policy      No policy applies.',
    expect.stringMatching(
      /^✓ OK {7}data {8}The data directory .*\/vms-export-agent does not exist yet and will be created \(.* free\)\.$/,
    ),
    '✓ OK       key         The API key was read (12 characters).',
    '✓ OK       address     address is fine.',
    '✓ OK       tls         tls is fine.',
    '✓ OK       service     service is fine.',
    '✓ OK       permission  permission is fine.',
    '✓ OK       clock       clock is fine.',
    `✓ OK       folders     Ready to watch: ${folder}/in.`,
    '',
  ]);
});

test('a bad configuration leaves out what depends on it and decides the exit code', async () => {
  const { deps, written, folder } = await createFineDeps({ baseUrl: 'http://x.example', a: 1 });
  await writeFile(join(folder, 'file'), '');
  const states = await statesOf(deps, () => written.stdout, { dataDir: 'file' });
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
  const { deps, written } = await createFineDeps();
  const createPorts: Deps['createPorts'] = (options) => ({
    ...deps.createPorts(options),
    secrets: { apiKey },
  });
  const states = await statesOf({ ...deps, createPorts }, () => written.stdout);
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
  const { deps, written } = await createFineDeps({ ...settings, watch: [{ path: 'none' }] });
  const lines: OnlineLine[] = [
    { ...fine('clock'), state: 'warning' },
    { ...fine('permission'), state: 'failed', failure: failure('VIDEO_PERMISSION_MISSING') },
    fine('service'),
    { ...fine('tls'), state: 'skipped' },
    fine('address'),
  ];
  const checkConnection = () => Promise.resolve(lines);
  const states = await statesOf({ ...deps, checkConnection }, () => written.stdout);
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
  const { deps, written } = await createFineDeps({});
  const checkConnection = () => Promise.reject(new Error('Nothing can be called'));
  const states = await statesOf({ ...deps, checkConnection }, () => written.stdout);
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
  const { deps, written } = await createFineDeps(settings, { policy });
  await check.run({ ...input, json: false }, deps);
  expect(written.stdout).toContain('✓ OK       policy      3 settings from /etc/a and /etc/b.\n');
});

test('a policy by a signed address has its sequence there, and how old it is', async () => {
  const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const url = 'https://policy.example.com/desks.json';
  const signed = {
    url,
    publicKey: '',
    sequence: 12,
    issuedAt: minutesAgo(90),
    checkedAt: minutesAgo(3),
    local: [],
  };
  const policy = ok({ ...noPolicy, places: [url], count: 3, signed });
  const { deps, written } = await createFineDeps(settings, { policy });
  await check.run({ ...input, json: false }, deps);
  expect(written.stdout).toMatch(/\/desks\.json; sequence 12, last confirmed 3 min 0\d s ago\.\n/);
});

test('a policy that cannot be used is named as that, and decides the exit code', async () => {
  const policy = err([failure('POLICY_INVALID')]);
  const { deps, written } = await createFineDeps(settings, { policy });
  const states = await statesOf(deps, () => written.stdout);
  expect(states.slice(0, 4)).toEqual([10, 'config skipped', 'policy failed', 'data ok']);
});

test.each([
  ['there', { state: 'ok', text: expect.stringContaining('can be used') }],
  ['not/yet', { state: 'ok', text: expect.stringContaining('will be created') }],
  ['file', { state: 'failed', code: 'DATA_FOLDER' }],
  ['file/x', { state: 'failed', code: 'DATA_FOLDER' }],
  ['OneDrive/not/yet', { state: 'failed', code: 'DATA_FOLDER_REMOTE' }],
])('checks the data directory %s without creating it', async (dataDir, line) => {
  const { deps, written, folder } = await createFineDeps();
  await mkdir(join(folder, 'there'));
  await writeFile(join(folder, 'file'), '');
  const before = await readdir(folder);
  await check.run({ ...input, dataDir }, deps);
  const lines: readonly CheckLine[] = JSON.parse(written.stdout);
  expect(lines.find(({ name }) => name === 'data')).toMatchObject(line);
  expect(await readdir(folder)).toEqual(before);
});

test.skipIf(process.getuid?.() !== 0)(
  'says as whom to run in the data directory of a service; root gives folders away',
  async () => {
    const { deps, written, folder } = await createFineDeps();
    await mkdir(join(folder, 'of-a-service'));
    await chown(join(folder, 'of-a-service'), 1234, 1234);
    await check.run({ ...input, dataDir: 'of-a-service' }, deps);
    const lines: readonly CheckLine[] = JSON.parse(written.stdout);
    expect(lines.find(({ name }) => name === 'data')).toMatchObject({
      state: 'failed',
      code: 'DATA_FOLDER',
      advice: expect.stringContaining("sudo -u '#1234'"),
    });
  },
);
