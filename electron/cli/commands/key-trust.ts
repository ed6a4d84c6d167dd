import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { checkBaseUrl, keyMissing } from '../../agent/core/settings/check-connection.ts';
import type { Secrets } from '../../agent/index.ts';
import { defineCommand, UsageError, parseQueueOptions, queueOptions } from '../command.ts';
import { loadConfig, portsFor, dataDirOf } from '../deps.ts';
import { exitCodes } from '../exit-codes.ts';
import { reportFailures } from '../report-failure.ts';

/** Lets a person confirm that the key may go to a different service than it was given for. */
export const keyTrust = defineCommand({
  name: 'key trust',
  usage: ['key trust ORIGIN'],
  purpose: 'Sets the only service the API key may be sent to.',
  operands: { ORIGIN: 'scheme, host and port of the service, such as https://api.example.com' },
  options: queueOptions,
  parse(line) {
    const [text, ...more] = line.operands;
    if (text === undefined || more.length > 0) throw new UsageError('key trust needs one origin.');
    const url = checkBaseUrl(text);
    if (!url.ok)
      throw new UsageError(
        url.error.message.replace('baseUrl', 'The origin'),
        'Write it like "https://api.example.com".',
      );
    return { ...parseQueueOptions(line), origin: new URL(url.value).origin };
  },
  async run({ origin, ...input }, deps) {
    const { output, clock } = deps;
    const reporting = { output, clock, json: false };
    const loaded = await loadConfig(input, deps, 'configuration');
    if (!loaded.ok) return reportFailures(loaded.error, reporting);
    const { secrets } = portsFor(loaded.value, deps, { ...input, logLevel: 'error', json: false });
    const trusted = await trust(secrets, origin);
    if (!trusted.ok) return reportFailures([trusted.error], reporting);
    const noted = await deps.proof.note(dataDirOf(input, deps), { clock }, 'key.trusted', { origin });
    output.line(`From now on, the API key is sent only to ${origin}.`);
    const { baseUrl } = loaded.value.settings;
    if (baseUrl !== undefined && new URL(baseUrl).origin !== origin)
      output.note(
        `baseUrl still points to ${new URL(baseUrl).origin}. Nothing is sent until it points to ${origin}.`,
      );
    if (noted.ok) return exitCodes.ok;
    output.note('This was not recorded in the chain. Run the command again once this problem is solved:');
    return reportFailures([noted.error], reporting);
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
