/**
 * Everything the windows may ask of the agent. Each call of the contract is in the file of its subject, with its
 * handler, its audit details and what it changes (call.ts). The registry validates input and output; signals.ts reports
 * which subjects must be re-read.
 */
import type { AuditTrail } from '../evidence/audit-trail.ts';
import type { TeamService } from '../service/connect-service.ts';
import { createSettingsFile } from '../settings/settings-file.ts';
import { createHealthCalls } from './health.ts';
import { createIncidentCalls } from './incidents.ts';
import { createKeyCalls, createKeyFileInUse } from './keys.ts';
import { createNameCalls } from './names.ts';
import { createProofCalls } from './proof.ts';
import { createSettingsCalls } from './settings.ts';
import type { SignalHub } from './signals.ts';
import { createTeamCalls } from './team.ts';
import { createUploadCalls } from './uploads.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { type CallName, type CallOutput, callSchemas } from '../../../shared/ipc/contract.ts';
import { type CallReply, requestSchema } from '../../../shared/ipc/envelope.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Logger } from '../ports.ts';
import {
  type Calls,
  carryOut,
  brokenOff,
  faultyCall,
  findingsOf,
  plainWords,
  refusedInput,
  unknownCall,
} from './call.ts';
import type { ChangeSignals } from './change-signals.ts';

/** Combined dependencies of all subjects; each file declares its own. */
type SubjectDeps = Parameters<typeof createUploadCalls>[0] &
  Parameters<typeof createIncidentCalls>[0] &
  Parameters<typeof createSettingsCalls>[0] &
  Parameters<typeof createKeyCalls>[0] &
  Parameters<typeof createHealthCalls>[0] &
  Parameters<typeof createProofCalls>[0] &
  Parameters<typeof createNameCalls>[0];

interface Deps extends Omit<
  SubjectDeps,
  'clock' | 'dataDir' | 'file' | 'keyFile' | 'savedBaseUrl' | 'secrets'
> {
  readonly signals: Pick<SignalHub, 'changed'>;
  readonly team: TeamService;
  readonly trail: AuditTrail;
}

/** Creates the registry of all calls: leaving one out is a type error. */
export function createCalls(deps: Deps): CallRegistry {
  const { config, ports, signals, team, trail } = deps;
  const { settingsFile } = config;
  const file = settingsFile === undefined ? undefined : createSettingsFile(settingsFile, config);
  const keyFile = createKeyFileInUse(config.settings.apiKeyFile, ports.secrets);
  const { clock, secrets } = ports;
  const all = { ...deps, clock, secrets, dataDir: config.dataDir, file, keyFile, savedBaseUrl };

  async function savedBaseUrl(): Promise<string | undefined> {
    const saved = await file?.load();
    return saved?.ok === true ? saved.value.settings.baseUrl : config.settings.baseUrl;
  }

  return createCallRegistry(
    {
      ...createUploadCalls(all),
      ...createIncidentCalls(all),
      ...createTeamCalls(team),
      ...createSettingsCalls(all),
      ...createKeyCalls(all),
      ...createNameCalls(all),
      ...createHealthCalls(all),
      ...createProofCalls(all),
    },
    { logger: ports.logger, trail, signals },
  );
}

/**
 * Answers calls according to the contract and tracks running ones, so that none outlives what it works on. Size and
 * rate limits belong to the transport, which knows its peer.
 */
interface CallRegistry {
  /**
   * Never rejects. `signal` cancels the call when its caller goes away. Errors besides the call's own: CALL_UNKNOWN,
   * CALL_INPUT, CALL_FAULT, CANCELLED.
   */
  call(request: unknown, signal: AbortSignal | undefined): Promise<CallReply>;
  /** Cancels the running calls. */
  breakOff(): void;
  /** Resolves once no call is running any more. */
  settled(): Promise<void>;
}

interface RegistryDeps {
  readonly logger: Logger;
  readonly trail: Pick<AuditTrail, 'note'>;
  readonly signals: Pick<ChangeSignals, 'changed'>;
}

/** Creates the registry over the given calls. */
export function createCallRegistry(calls: Calls, { logger, trail, signals }: RegistryDeps): CallRegistry {
  const underWay = new Map<AbortController, Promise<CallReply>>();
  const effects = { trail, announce: signals.changed };

  async function serve(request: unknown, signal: AbortSignal): Promise<CallReply> {
    let name: CallName | undefined;
    try {
      const envelope = requestSchema.safeParse(request, { error: plainWords });
      if (!envelope.success) return err(refusedInput(envelope.error));
      if (!isCallName(envelope.data.call)) return err(unknownCall);
      name = envelope.data.call;
      return await answer(name, envelope.data.input, signal);
    } catch (error) {
      if (error instanceof FailureError) return err(error.failure);
      if (signal.aborted) return err(brokenOff);
      logger.error('A call ended with an unexpected error', { call: name, error });
      return err(faultyCall);
    }
  }

  /** The only check of what is sent to a page: the caller there trusts the value of a reply. */
  async function answer<Name extends CallName>(
    name: Name,
    input: unknown,
    signal: AbortSignal,
  ): Promise<Result<CallOutput<Name>, Failure>> {
    const { input: inputSchema, output: outputSchema } = callSchemas[name];
    const given = inputSchema.safeParse(input, { error: plainWords });
    if (!given.success) return err(refusedInput(given.error));
    const result = await carryOut(effects, name, calls[name], given.data, signal);
    if (!result.ok) return result;
    const output = outputSchema.safeParse(result.value);
    if (output.success) return ok(output.data);
    logger.error('The answer to a call does not match the contract', {
      call: name,
      findings: findingsOf(output.error),
    });
    return err(faultyCall);
  }

  return {
    async call(request, signal) {
      // A separate signal per call: listeners would pile up on a caller's long-lived one
      const ending = new AbortController();
      const abort = (): void => ending.abort(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
      const reply = serve(request, ending.signal);
      underWay.set(ending, reply);
      try {
        return await reply;
      } finally {
        underWay.delete(ending);
        signal?.removeEventListener('abort', abort);
      }
    },
    breakOff() {
      for (const ending of underWay.keys()) ending.abort(new Error('The agent is stopping'));
    },
    async settled() {
      await Promise.all(underWay.values());
    },
  };
}

/** Own properties only: every object has `constructor` and the like. */
const isCallName = (name: string): name is CallName => Object.hasOwn(callSchemas, name);
