import { defineCommand, parseQueueOptions, queueOptions, refuseOperands } from '../command.ts';
import { dataDirOf } from '../deps.ts';
import { exitCodeFor, exitCodes } from '../exit-codes.ts';
import { reportFailures } from '../report-failure.ts';

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
