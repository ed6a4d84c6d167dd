import { resolve } from 'node:path';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { defineCommand, parseQueueOptions, queueOptions, UsageError } from '../command.ts';
import { dataDirOf, loadConfig } from '../deps.ts';
import { exitCodeFor, exitCodes, untilStopped } from '../exit-codes.ts';
import { counted, jsonText } from '../output.ts';
import { reportFailures } from '../report-failure.ts';

/** Writes the custody pack of each incident. */
export const custody = defineCommand({
  name: 'custody',
  usage: ['custody INCIDENT... --out DIR [--json]'],
  purpose: `Writes a custody pack for each incident: a signed manifest, a printable report,
and scripts that check both without this program.`,
  operands: { INCIDENT: 'ID of an incident, as shown by status' },
  options: {
    ...queueOptions,
    out: { value: 'DIR', help: 'folder for the packs; each gets its own subfolder' },
    json: { help: 'one JSON object per pack on stdout' },
  },
  remark: `To check a pack, people need the fingerprint of the desk's signing key. Give it
to them separately from the pack.`,
  parse(line) {
    const out = line.text('out');
    if (line.operands.length === 0 || out === undefined)
      throw new UsageError(
        'custody needs at least one incident ID and --out.',
        'Run "status" to see the IDs.',
      );
    return { ...parseQueueOptions(line), incidentIds: line.operands, out, json: line.has('json') };
  },
  async run(input, deps) {
    const { output, clock, places, version } = deps;
    const ports = deps.createPorts({ logLevel: 'error', logFormat: input.json ? 'json' : 'text' });
    const place = resolve(places.workingDir, input.out);
    // Only for time-stamps: without readable settings there are none
    const loaded = await loadConfig(input, deps, 'nothing');
    const settings = loaded.ok ? loaded.value : undefined;
    const request = { incidentIds: input.incidentIds, place, version, settings };
    return untilStopped(deps.listenForStop(), async (signal) => {
      const made = await deps.proof.makePacks(dataDirOf(input, deps), request, ports, signal);
      if (!made.ok) {
        reportFailures([made.error], { output, clock, json: input.json });
        return exitCodeFor(made.error.code, exitCodes.usage);
      }
      for (const { title, folder, clips, missing, key, ...pack } of made.value) {
        const { incidentId, manifestSha256, hasPdf, timeStamp } = pack;
        if (input.json) {
          const facts = { incidentId, title, folder, clips, missing, key, manifestSha256, hasPdf, timeStamp };
          output.line(
            jsonText({ event: 'custody.packed', at: new Date(clock.now()).toISOString(), ...facts }),
          );
          continue;
        }
        output.line(`${visibleName(title)}: ${counted(clips, 'clip')} in ${visibleName(folder)}`);
        if (timeStamp !== undefined)
          output.line(`  Time-stamped ${timeStamp.at} by ${visibleName(timeStamp.by)}`);
        for (const each of missing) output.line(`  Note: ${visibleName(each)}`);
      }
      if (!input.json) output.line(`Signed with key ${made.value[0]?.key ?? ''}`);
      return exitCodes.ok;
    });
  },
});
