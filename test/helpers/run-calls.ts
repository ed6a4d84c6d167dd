import { carryOut, type Calls } from '../../electron/agent/calls/call.ts';
import type { AuditDetail } from '../../electron/agent/evidence/audit-trail.ts';
import type { CallArguments, CallName } from '../../shared/ipc/contract.ts';

/** Carries out calls as the registry does, input unchecked; keeps what they announced and what was noted of them. */
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
