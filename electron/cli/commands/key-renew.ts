import { defineCommand, parseQueueOptions, queueOptions, refuseOperands } from '../command.ts';
import { dataDirOf } from '../deps.ts';
import { exitCodes, exitCodeFor } from '../exit-codes.ts';
import { reportFailures } from '../report-failure.ts';

/** Creates a new signing key for custody packs. */
export const keyRenew = defineCommand({
  name: 'key renew',
  usage: ['key renew [--data-dir DIR]'],
  purpose: `Creates a new key for signing custody packs; the current key signs the change.
The API key is not affected.`,
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
    output.line(
      "Give it to everyone who checks this desk's packs. Earlier packs are still checked with the old one.",
    );
    return exitCodes.ok;
  },
});
