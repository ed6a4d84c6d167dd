import { homedir } from 'node:os';
import type { CheckLine, Health } from '../../../shared/domain/health.ts';
import type { BundleFile, KeyState, LogLine } from '../../../shared/ipc/calls/setup.ts';
import { redactText, type RedactRules, redactValue, secretForms } from '../core/text/redact.ts';
import { maskPersonal } from '../log/mask-personal.ts';
import type { Secrets } from '../ports.ts';

/** What goes into a bundle. */
export interface BundleFacts {
  readonly health: Health;
  readonly settings: unknown;
  readonly key: KeyState;
  readonly checks: readonly CheckLine[];
  readonly log: readonly LogLine[];
  /** Clips that failed or wait; see `troubleLines`. */
  readonly uploads: readonly string[];
  /** What people ordered; see `AuditTrail`. */
  readonly audit: readonly string[];
}

/** The files of a bundle, each redacted here, whatever they are made of: no key, no signed address, no person. */
export async function makeBundle(facts: BundleFacts, secrets: Secrets): Promise<readonly BundleFile[]> {
  const rules = { secrets: await knownForms(secrets), homeDir: homedir() };
  const { health, settings, key, checks, log, uploads, audit } = facts;
  const about = { ...health.versions, platform: process.platform, architecture: process.arch };
  return [
    jsonFile('about.json', about, rules),
    jsonFile('settings.json', settings, rules),
    // Whether there is one, not which one: a fingerprint is of use at the desk only
    jsonFile('key.json', { isSet: key.isSet, code: key.failure?.code ?? null }, rules),
    { name: 'checks.txt', text: lines(checks.map(checkText), rules) },
    jsonFile('health.json', health, rules),
    { name: 'uploads.txt', text: lines(uploads, rules) },
    { name: 'audit.txt', text: lines(audit, rules) },
    { name: 'log.txt', text: lines(log.map(logText), rules) },
  ];
}

/** A key that cannot be read cannot be in anything either. */
async function knownForms(secrets: Secrets): Promise<readonly string[]> {
  const key = await secrets.apiKey().catch(() => undefined);
  return key === undefined ? [] : secretForms(key);
}

function jsonFile(name: string, value: unknown, rules: RedactRules): BundleFile {
  return { name, text: `${maskPersonal(JSON.stringify(redactValue(value, rules), undefined, 2))}\n` };
}

/** Line by line: a text as a whole would be cut. */
function lines(texts: readonly string[], rules: RedactRules): string {
  return texts.map((text) => `${maskPersonal(redactText(text, rules))}\n`).join('');
}

const checkText = ({ name, state, text, failure }: CheckLine): string =>
  `${state.padEnd(8)} ${name.padEnd(10)} ${text}${failure === undefined ? '' : ` (${failure.code})`}`;

const logText = ({ at, level, message, fields }: LogLine): string =>
  `${at} ${level.toUpperCase().padEnd(5)} ${message} ${fields}`.trimEnd();
