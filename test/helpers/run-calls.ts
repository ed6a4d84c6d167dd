import { carryOut, type Calls } from '../../electron/agent/calls/call.ts';
import type { AuditDetail } from '../../electron/agent/evidence/audit-trail.ts';
import type { CallArguments, CallName } from '../../shared/ipc/contract.ts';

/** Runs calls as the registry does, without checking their input; keeps what they announced and the audit notes. */
export function runCalls<Names extends CallName>(calls: Calls<Names>) {
  const announced: string[] = [];
  const noted: (readonly [action: string, detail: AuditDetail])[] = [];
  const effects = {
    announce: (subject: string) => void announced.push(subject),
    trail: { note: (action: string, detail: AuditDetail) => noted.push([action, detail]) },
  };
  const idle = new AbortController().signal;
  return {
    announced,
    noted,
    run: <Name extends Names>(name: Name, input: CallArguments<Name>, signal = idle) =>
      carryOut(effects, name, calls[name], input, signal),
  };
}
