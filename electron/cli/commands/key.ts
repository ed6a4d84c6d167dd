import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { checkBaseUrl, keyMissing } from '../../agent/core/settings/check-base-url.ts';
import {
  configOption,
  defineCommand,
  UsageError,
  parseQueueOptions,
  queueOptions,
  refuseOperands,
} from '../command.ts';
import { loadConfig, portsFor, dataDirOf } from '../deps.ts';
import { exitCodes, exitCodeFor } from '../exit-codes.ts';
import { reportFailures } from '../report-failure.ts';
import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import type { Secrets } from '../../agent/index.ts';

/** A person's word that the key may go to another service than the one it was given for. */
export const keyTrust = defineCommand({
  name: 'key trust',
  usage: ['key trust ORIGIN'],
  purpose: `Lets the API key go to another service than the one it was given for, and to no
other from then on.`,
  operands: { ORIGIN: 'scheme, host and port of the service, such as https://api.example.com' },
  options: configOption,
  parse(line) {
    const [text, ...more] = line.operands;
    if (text === undefined || more.length > 0) throw new UsageError('key trust needs one origin.');
    const url = checkBaseUrl(text);
    if (!url.ok)
      throw new UsageError(
        url.error.message.replace('baseUrl', 'The origin'),
        'Name it as in https://api.example.com.',
      );
    return { config: line.text('config'), origin: new URL(url.value).origin };
  },
  async run({ config, origin }, deps) {
    const { output, clock } = deps;
    const reporting = { output, clock, json: false };
    const loaded = await loadConfig({ config }, deps, 'configuration');
    if (!loaded.ok) return reportFailures(loaded.error, reporting);
    const { secrets } = portsFor(loaded.value, deps, { logLevel: 'error', json: false });
    const trusted = await trust(secrets, origin);
    if (!trusted.ok) return reportFailures([trusted.error], reporting);
    output.line(`The API key goes to ${origin} from now on, and to no other service.`);
    const { baseUrl } = loaded.value.settings;
    if (baseUrl !== undefined && new URL(baseUrl).origin !== origin)
      output.note(
        `${loaded.value.configPath} names ${new URL(baseUrl).origin}: nothing is sent until it names ${origin}.`,
      );
    return exitCodes.ok;
  },
});

async function trust(secrets: Secrets, origin: string): Promise<Result<void, Failure>> {
  try {
    const key = await secrets.apiKey();
    if (key === undefined) return err(keyMissing);
    return (await secrets.origins?.trust(key, origin)) ?? ok(undefined);
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

/** Makes a new signing key for custody packs. */
export const keyRenew = defineCommand({
  name: 'key renew',
  usage: ['key renew [--data-dir DIR]'],
  purpose: `Makes a new key for signing custody packs; the key in use signs the change.
The API key is another one and stays.`,
  options: queueOptions,
  parse(line) {
    refuseOperands(line);
    return parseQueueOptions(line);
  },
  async run(input, deps) {
    const { output, clock } = deps;
    const ports = deps.createPorts({ logLevel: 'error', logFormat: 'text' });
    const renewed = await deps.proof.renewKey(dataDirOf(input, deps), ports);
    if (!renewed.ok) {
      reportFailures([renewed.error], { output, clock, json: false });
      return exitCodeFor(renewed.error.code, exitCodes.fault);
    }
    output.line(`The new fingerprint is ${renewed.value.fingerprint}.`);
    output.line('Give it to everybody who checks packs of this desk. Packs from before keep the old one.');
    return exitCodes.ok;
  },
});
