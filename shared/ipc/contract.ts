import type { z } from 'zod';
import { healthCalls } from './calls/health.ts';
import { incidentCalls } from './calls/incidents.ts';
import { proofCalls } from './calls/proof.ts';
import { settingsCalls } from './calls/settings.ts';
import { teamCalls } from './calls/team.ts';
import { uploadCalls } from './calls/uploads.ts';
import type { CallShape } from './envelope.ts';

/**
 * Every call that a window, the web console or a test can make to the agent. A new one needs an entry here, a handler
 * in electron/agent/calls, and a caller.
 */
const contract = {
  ...uploadCalls,
  ...incidentCalls,
  ...teamCalls,
  ...settingsCalls,
  ...healthCalls,
  ...proofCalls,
} as const satisfies Readonly<Record<string, CallShape>>;

/** Name of a call. */
export type CallName = keyof typeof contract;
/** What a caller passes; fields with defaults may be left out. */
export type CallInput<Name extends CallName> = z.input<(typeof contract)[Name]['input']>;
/** What a handler receives. */
export type CallArguments<Name extends CallName> = z.output<(typeof contract)[Name]['input']>;
/** What a call returns. */
export type CallOutput<Name extends CallName> = z.output<(typeof contract)[Name]['output']>;

/** The schemas of each call, in a form that keeps its types when the name is a variable. */
export const callSchemas: {
  readonly [Name in CallName]: {
    readonly input: z.ZodType<CallArguments<Name>>;
    readonly output: z.ZodType<CallOutput<Name>>;
  };
} = contract;
