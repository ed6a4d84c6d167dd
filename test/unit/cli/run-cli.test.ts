import { expect, test } from 'vitest';
import { ok } from '../../../shared/lib/result.ts';
import { runCli } from '../../../electron/cli/run-cli.ts';
import { ada, createFakeTeam } from './fake-team.ts';
import { createFakeAgent, createFakeDeps, idle } from './fake-deps.ts';

const agentParts = {
  readStatus: () => Promise.resolve(ok({ incidents: [] })),
  retryClips: () => Promise.resolve(ok({ retried: 2, skipped: 0, incidents: 0 })),
  checkConnection: () => Promise.resolve([]),
  connectTeam: () => createFakeTeam({ users: [ada] }).team,
};

async function runLine(line: string) {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent);
  const exit = await runCli(line === '' ? [] : line.split(' '), { ...deps, ...agentParts });
  return { exit, ...written };
}

test.each([
  ['--version', /^1\.2\.3\n$/],
  ['--help', /^Usage:\n {2}vms-export-agent run .*\n.*\n {2}vms-export-agent push FOLDER/],
  ['help retry', /^Usage: vms-export-agent retry \(ID \| --all\)/],
  ['status', /^No incidents\.\n$/],
  ['retry --all', /^2 clips will be retried\.\n$/],
  ['check', /^✓ OK {7}config/],
  ['run --once', /^0 incidents, 0 clips sent/],
  ['help users', /^Usage:\n {2}vms-export-agent users list .*\n.*\n {2}vms-export-agent users get ID/],
  ['users delete --help', /^Usage: vms-export-agent users delete ID/],
  ['periods', /^No periods\.\n$/],
  ['actions 7', /^No actions in this period\.\n$/],
  ['message --channel 5 Hello', /^Posted as message 900\.\n$/],
  ['users list', /^ID .*\n7 {3}Ada Lovelace/],
  ['users get 7', /^Ada Lovelace\n {2}ID {8}7\n/],
  ['users update 7 --role staff', /^Ada Lovelace\n/],
  ['users deactivate 7', /^Ada Lovelace can no longer sign in\.\n/],
  ['users create --device d --name Gate', /^Gate\n/],
  ['users delete 7 --yes', /^Ada Lovelace \(user 7\) was deleted\.\n$/],
])('%s answers on stdout and ends with 0', async (line, text) => {
  const { exit, stdout, stderr } = await runLine(line);
  expect(stdout).toMatch(text);
  expect(stderr).toBe('');
  expect(exit).toBe(0);
});

test.each([
  ['', /^No command was given\.\n\nUsage:\n/],
  ['rnu', /^"rnu" is not a command\. Did you mean "run"\?\n\nUsage:\n/],
  [
    'users',
    /^users needs one of: list, get, create, update, deactivate, delete\.\n\nUsage:\n {2}vms-export-agent users list/,
  ],
  [
    'users lst',
    /^"lst" is not a command of users\. Did you mean "list"\?\n\nUsage:\n {2}vms-export-agent users list/,
  ],
  ['usres list', /^"usres" is not a command\. Did you mean "users"\?\n/],
  [
    'run --once --josn',
    /^--josn is not a known option\. Did you mean --json\?\n\nUsage: vms-export-agent run /,
  ],
])('input F15: %j says what is wrong and how it is used, on stderr, and ends with 2', async (line, text) => {
  const { exit, stdout, stderr } = await runLine(line);
  expect(stderr).toMatch(text);
  expect(stdout).toBe('');
  expect(exit).toBe(2);
});

test('help names every exit code', async () => {
  const { stdout } = await runLine('--help');
  for (const code of [0, 1, 2, 10, 11, 12, 13, 14]) expect(stdout).toMatch(new RegExp(`\\b${code} `));
});

test.each([
  ['rnu --json', '"rnu" is not a command.', 'Did you mean "run"?'],
  ['users list --json --page 0', '--page must be a whole number from 1 to 1000000.', ''],
  ['actions --json', 'actions needs one period ID.', 'Run "periods" to see the IDs.'],
])('%s says on stdout as JSON what is wrong', async (line, message, advice) => {
  const { exit, stdout } = await runLine(line);
  expect(exit).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ event: 'error', code: 'CALL_INPUT', message, advice });
});

test('run --once says that a configuration names no folder to watch', async () => {
  const { deps, written } = await createFakeDeps(createFakeAgent().agent, {
    baseUrl: 'https://api.example.com',
  });
  expect(await runCli(['run', '--once'], deps)).toBe(0);
  expect(written.stderr).toContain('No folder is watched');
});

test('run --once says how many clips are left when it could not go on', async () => {
  const left = { ...idle, clips: 3, clipsUploaded: 1, clipsPaused: 1 };
  const { deps, written } = await createFakeDeps(createFakeAgent({ progressNow: () => left }).agent);
  await runCli(['run', '--once'], deps);
  expect(written.stdout).toContain('0 failed, 1 waiting, 1 clip paused');
});

test.each([
  [['run', '--once'], '1 incident refused by the service'],
  [['run', '--once', '--json'], '"refused":1'],
])(
  '%j ends with 14 and says so when the service refused an incident whose clips were sent',
  async (line, said) => {
    const sent = { ...idle, incidents: 2, incidentsRefused: 1, clips: 3, clipsUploaded: 3 };
    const { deps, written } = await createFakeDeps(createFakeAgent({ progressNow: () => sent }).agent);
    expect(await runCli(line, deps)).toBe(14);
    expect(written.stdout).toContain(said);
  },
);
