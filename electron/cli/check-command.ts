import { type Failure, FailureError } from '../../shared/domain/failure.ts';
import type { Policy } from '../agent/settings/policy/policy.ts';
import { keyMissing, notSetUp } from '../agent/core/settings/missing-setup.ts';
import type { Ports } from '../agent/index.ts';
import type { CheckCommand } from './command.ts';
import { counted } from './counted.ts';
import { exitCodeFor, exitCodes, type ExitCode } from './exit-codes.ts';
import { agentConfig, dataDirOf, loadConfig, portsFor, type Host, type LoadedConfig } from './host.ts';
import { jsonText } from './json-text.ts';
import { checkNames, type AgentNeeds, type CheckLine, type CheckName } from './needs.ts';

type CheckNeeds = Pick<AgentNeeds, 'checkDataDir' | 'checkFolders' | 'checkConnection'>;

/** Checks config, data directory, key, address, certificate, service, permission, clock and folders: one line each, all of them every time. */
export async function checkCommand(command: CheckCommand, host: Host, needs: CheckNeeds): Promise<ExitCode> {
  const lines = await collect(command, host, needs);
  if (command.json) host.output.line(jsonText(lines.map(lineJson), 2));
  else for (const line of lines) host.output.line(lineText(line));
  return exitFor(lines);
}

async function collect(command: CheckCommand, host: Host, needs: CheckNeeds): Promise<readonly CheckLine[]> {
  const data = await needs.checkDataDir(dataDirOf(command, host));
  const loaded = await loadConfig(command, host, 'configuration');
  if (!loaded.ok) return inOrder([...loaded.error.map((failure) => failed(placeOf(failure), failure)), data]);
  const { settings, configPath, policy } = loaded.value;
  const config: CheckLine =
    settings.baseUrl === undefined
      ? failed('config', notSetUp)
      : {
          name: 'config',
          state: 'ok',
          text: `${configPath}${policy.places.length > 0 ? ' with the policy' : ''} is complete.`,
        };
  const folders = await needs.checkFolders(agentConfig(loaded.value, command, host), host.clock, host.places);
  const online = await checkOnline(loaded.value, command, host, needs);
  return inOrder([config, policyLine(policy), data, ...online, ...folders]);
}

const placeOf = ({ code }: Failure): CheckName => (code === 'POLICY_INVALID' ? 'policy' : 'config');

function policyLine({ places, count }: Policy): CheckLine {
  const text = places.length === 0 ? 'none' : `${counted(count, 'setting')} from ${places.join(' and ')}`;
  return { name: 'policy', state: 'ok', text };
}

async function checkOnline(
  loaded: LoadedConfig,
  command: CheckCommand,
  host: Host,
  { checkConnection }: CheckNeeds,
): Promise<readonly CheckLine[]> {
  const ports = portsFor(loaded, host, { logLevel: 'error', json: command.json });
  const key = await checkKey(ports);
  return key.state === 'ok' && loaded.settings.baseUrl !== undefined
    ? [key, ...(await checkConnection(agentConfig(loaded, command, host), ports))]
    : [key];
}

async function checkKey({ secrets }: Ports): Promise<CheckLine> {
  try {
    const key = await secrets.apiKey();
    if (key === undefined) return failed('key', keyMissing);
    return { name: 'key', state: 'ok', text: `A key of ${key.length} characters was read.` };
  } catch (error) {
    if (error instanceof FailureError) return failed('key', error.failure);
    throw error;
  }
}

const failed = (name: CheckName, failure: Failure): CheckLine => ({
  name,
  state: 'failed',
  text: failure.message,
  failure,
});

/** Every name at least once: what could not be looked at says so. */
function inOrder(lines: readonly CheckLine[]): readonly CheckLine[] {
  return checkNames.flatMap((name) => {
    const found = lines.filter((line) => line.name === name);
    if (found.length > 0) return found;
    const skipped: CheckLine = { name, state: 'skipped', text: 'Not checked because of what is said above.' };
    return [skipped];
  });
}

function exitFor(lines: readonly CheckLine[]): ExitCode {
  const first = lines.find(({ state }) => state === 'failed');
  if (first === undefined) return exitCodes.ok;
  return first.failure === undefined ? exitCodes.fault : exitCodeFor(first.failure.code);
}

const stateWords: Readonly<Record<CheckLine['state'], string>> = {
  ok: '✓ OK',
  warning: '! Warning',
  failed: '✕ Failed',
  skipped: '○ Skipped',
};

function lineText({ name, state, text, failure }: CheckLine): string {
  const reason = failure === undefined ? text : `${failure.code}: ${text} ${failure.advice}`;
  return `${stateWords[state].padEnd(9)}  ${name.padEnd(10)}  ${reason}`;
}

function lineJson({ name, state, text, failure }: CheckLine) {
  return { name, state, text, ...(failure && { code: failure.code, advice: failure.advice }) };
}
