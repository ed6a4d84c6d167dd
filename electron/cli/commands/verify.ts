import { resolve } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { defineCommand, parseQueueOptions, queueOptions, UsageError } from '../command.ts';
import { agentConfig, dataDirOf, loadConfig, portsFor, type ConfigOptions, type Deps } from '../deps.ts';
import { exitCodeFor, exitCodes, untilStopped, type ExitCode } from '../exit-codes.ts';
import { counted, jsonText } from '../output.ts';
import { reportFailures } from '../report-failure.ts';

type VerifyInput = ConfigOptions & {
  readonly json: boolean;
  readonly subject:
    | { readonly kind: 'chain' }
    | { readonly kind: 'stored'; readonly incidentId: string }
    | {
        readonly kind: 'pack';
        readonly folder: string;
        readonly copies: readonly string[];
        readonly key: string | undefined;
      };
};

/** Result of a check. */
interface Verdict {
  readonly differences: readonly string[];
  /** Shown if there are none. */
  readonly well: string;
}

/** Checks a custody pack, the chain of this desk, or what the service lists. */
export const verify = defineCommand({
  name: 'verify',
  usage: [
    'verify PACK [FILE...] [--fingerprint F] [--json]',
    'verify --stored INCIDENT [--json]',
    'verify --chain [--json]',
  ],
  purpose: `Checks a custody pack and copies of its clips, what the service lists for an
incident, or this desk's chain. Prints one sentence per difference.`,
  operands: {
    PACK: 'folder of a custody pack',
    FILE: 'copies of clips: files, or folders that contain them',
  },
  options: {
    ...queueOptions,
    fingerprint: {
      value: 'F',
      help: "fingerprint of the desk's signing key (default: this desk's own keys)",
    },
    stored: {
      value: 'INCIDENT',
      help: 'checks what the service lists for this incident (ID as shown by status)',
    },
    chain: { help: "checks this desk's chain against the hashes published outside its database" },
    json: { help: 'one JSON object on stdout' },
  },
  remark: 'Exit code 0: nothing differs. Otherwise, something differs or the check failed.',
  parse(line): VerifyInput {
    const [folder, ...copies] = line.operands;
    const incidentId = line.text('stored');
    const asked = [folder !== undefined, incidentId !== undefined, line.has('chain')].filter(Boolean).length;
    if (asked !== 1) throw new UsageError('verify needs exactly one of PACK, --stored INCIDENT and --chain.');
    const common = { ...parseQueueOptions(line), json: line.has('json') };
    if (incidentId !== undefined) return { ...common, subject: { kind: 'stored', incidentId } };
    if (folder === undefined) return { ...common, subject: { kind: 'chain' } };
    const key = line.text('fingerprint')?.replaceAll(/[ :]/g, '').toLowerCase();
    if (key !== undefined && !/^[0-9a-f]{64}$/.test(key))
      throw new UsageError('--fingerprint must be 64 hexadecimal digits.');
    return { ...common, subject: { kind: 'pack', folder, copies, key } };
  },
  async run(input, deps): Promise<ExitCode> {
    const { subject } = input;
    // Reading a pack or the chain may take hours: a signal ends it as it ends any program
    if (subject.kind !== 'stored') return tell(await checkHere(input, subject, deps), input, deps);
    return untilStopped(deps.listenForStop(), async (signal) =>
      tell(await checkStored(input, subject.incidentId, deps, signal), input, deps),
    );
  },
});

function tell(verdict: Result<Verdict, Failure>, { json }: VerifyInput, { output, clock }: Deps): ExitCode {
  if (!verdict.ok) {
    reportFailures([verdict.error], { output, clock, json });
    return exitCodeFor(verdict.error.code, exitCodes.fault);
  }
  const { differences, well, ...facts } = verdict.value;
  if (json)
    output.line(jsonText({ event: 'verified', isWell: differences.length === 0, differences, ...facts }));
  else for (const each of differences.length === 0 ? [well] : differences) output.line(visibleName(each));
  return differences.length === 0 ? exitCodes.ok : exitCodes.fault;
}

async function checkHere(
  input: VerifyInput,
  subject: Exclude<VerifyInput['subject'], { readonly kind: 'stored' }>,
  deps: Deps,
): Promise<Result<Verdict, Failure>> {
  const { proof, places } = deps;
  const ports = deps.createPorts({ logLevel: 'error', logFormat: 'text' });
  const dataDir = dataDirOf(input, deps);
  if (subject.kind === 'chain') {
    const state = await proof.checkChain(dataDir, ports);
    if (!state.ok) return state;
    const { rows, removed, findings, agreeing, head } = state.value;
    const left = removed === 0 ? '' : `, ${counted(removed, 'older row')} removed`;
    const compared =
      agreeing === 0
        ? 'is intact; there was no published hash to compare it with'
        : `agrees with ${agreeing} ${agreeing === 1 ? 'hash' : 'hashes'} published outside the database`;
    const well = `OK: the chain (${counted(rows, 'row')}${left}) ${compared}.`;
    const differences = findings.map(({ text }) => text);
    const facts = { rows, removed, agreeing, head };
    return { ok: true, value: { differences, well, ...facts } };
  }
  const { key, copies } = subject;
  const pack = {
    folder: resolve(places.workingDir, subject.folder),
    copies: copies.map((copy) => resolve(places.workingDir, copy)),
    trusted: key === undefined ? [] : [key],
  };
  const { differences, manifest } = await proof.verifyPack(dataDir, pack, ports);
  const what = manifest === undefined ? '' : ` of "${manifest.incident.title}", made ${manifest.packedAt},`;
  const given = copies.length === 0 ? ' No copies of clips were given.' : '';
  const stamp = manifest?.timeStamp;
  const time = stamp
    ? ` It was time-stamped ${stamp.at} by ${stamp.by}; whether to trust that service is up to you.`
    : '';
  const well = `OK: the pack${what} is unchanged: the signature, all files and the chain match.${time}${given}`;
  return { ok: true, value: { differences, well } };
}

async function checkStored(
  input: VerifyInput,
  incidentId: string,
  deps: Deps,
  signal: AbortSignal,
): Promise<Result<Verdict, Failure>> {
  const loaded = await loadConfig(input, deps);
  if (!loaded.ok) {
    const [first] = loaded.error;
    if (first === undefined) throw new Error('A configuration was refused without a reason');
    return err(first);
  }
  const ports = portsFor(loaded.value, deps, { ...input, logLevel: 'error' });
  const config = agentConfig(loaded.value, input, deps);
  const compared = await deps.proof.verifyIncident(config, ports, incidentId, signal);
  if (!compared.ok) return compared;
  const { agreeing, others, differences } = compared.value;
  const more = others === 0 ? '' : ` It also lists ${counted(others, 'clip')} that this desk did not send.`;
  return {
    ok: true,
    value: {
      differences,
      well:
        agreeing === 0
          ? `OK: the queue has no sent clips of this incident. The service lists ${others === 0 ? 'none' : counted(others, 'clip')}.`
          : `OK: the service lists ${counted(agreeing, 'clip')} that this desk sent, under the same storage ${agreeing === 1 ? 'key' : 'keys'}.${more}`,
    },
  };
}
