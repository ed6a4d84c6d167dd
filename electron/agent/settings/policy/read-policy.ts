import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { layerSettings, type SettingsGroup } from '../../core/settings/layer-settings.ts';
import { checkPart, type GuardedFile, type PolicyPart, type PolicyTools } from './policy-part.ts';
import { hostRulesSchema } from './policy-values.ts';
import { countSettings, noPolicy, type Policy } from './policy.ts';
import { readLinuxPolicy, readMacPolicy } from './read-unix-policy.ts';
import { readWindowsPolicy } from './read-windows-policy.ts';

/** A program of the system has answered by then, milliseconds: the start of the agent waits for it. */
const DEADLINE_MS = 10_000;

/** Most that a program prints, and largest file, bytes: the largest sensible policy has a few KB. */
const LARGEST_BYTES = 1024 * 1024;

/** Reads the policy of this PC, once, before anything starts. Errors: POLICY_INVALID, all that is wrong at once. */
export function readPolicy(): Promise<Result<Policy, readonly Failure[]>> {
  return readPolicyWith({
    platform: process.platform,
    environment: process.env,
    get userName() {
      return userInfo().username;
    },
    readFile: readWithGuards,
    run: runProgram,
  });
}

/** The same with the tools that are given. */
export async function readPolicyWith(tools: PolicyTools): Promise<Result<Policy, readonly Failure[]>> {
  const parts = await readParts(tools);
  if (!parts.ok) return parts;
  const failures = parts.value.flatMap((part) => checkPart(part, tools.platform));
  return failures.length > 0 ? err(failures) : ok(combine(parts.value));
}

function readParts(tools: PolicyTools): Promise<Result<readonly PolicyPart[], readonly Failure[]>> {
  switch (tools.platform) {
    case 'win32':
      return readWindowsPolicy(tools);
    case 'darwin':
      return readMacPolicy(tools);
    default:
      return readLinuxPolicy(tools);
  }
}

/** Parts that were checked, as one policy: at each level the first part that says something about a setting counts. */
export function combine(parts: readonly PolicyPart[]): Policy {
  const at = (level: PolicyPart['level']): SettingsGroup =>
    parts
      .filter((part) => part.level === level)
      .reduce<SettingsGroup>(
        (first, { values }) => layerSettings({ managed: first, user: values }).values,
        {},
      );
  const {
    updates: managedUpdates,
    console: managedConsole,
    ...managed
  } = hostRulesSchema.parse(at('managed'));
  const { updates, console, ...recommended } = hostRulesSchema.parse(at('recommended'));
  return {
    places: parts.filter(({ values }) => countSettings(values) > 0).map(({ place }) => place),
    count: countSettings(...parts.map(({ values }) => values)),
    managed,
    recommended,
    updates: { ...noPolicy.updates, ...updates, ...managedUpdates },
    console: { ...said('managed', managedConsole), ...said('recommended', console) },
  };
}

function said(
  level: PolicyPart['level'],
  rule: { readonly enabled?: boolean } | undefined,
): Policy['console'] {
  return rule?.enabled === undefined ? {} : { [level]: rule.enabled };
}

/** Reads a file once, with what it says about its writers. */
export async function readWithGuards(path: string): Promise<Result<GuardedFile | undefined, string>> {
  try {
    // Non-blocking: a pipe of that name must not hold the start up
    await using handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (!facts.isFile()) return err('it is no file');
    if (facts.size > LARGEST_BYTES) return err('it is larger than 1 MiB');
    const guards = [{ path, ownerId: facts.uid, mode: facts.mode }];
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const around = await stat(folder);
      guards.push({ path: folder, ownerId: around.uid, mode: around.mode });
      if (folder === dirname(folder)) break;
    }
    return ok({ bytes: await handle.readFile(), guards });
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? ok(undefined) : err(code);
  }
}

/** Runs a program without a shell, hidden, for ten seconds at the most. */
export const runProgram: PolicyTools['run'] = (program, args) =>
  new Promise((resolve) => {
    const options = {
      encoding: 'buffer',
      timeout: DEADLINE_MS,
      maxBuffer: LARGEST_BYTES,
      windowsHide: true,
    } as const;
    execFile(program, [...args], options, (error, printed) => {
      if (error === null) resolve(ok({ exitCode: 0, printed }));
      else if (typeof error.code === 'number') resolve(ok({ exitCode: error.code, printed }));
      else resolve(err(error.killed === true ? `no answer for ${DEADLINE_MS / 1000} s` : codeOf(error)));
    });
  });

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
