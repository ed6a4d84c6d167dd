import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** A program of the system has answered by then, milliseconds: the start of the agent waits for it. */
const DEADLINE_MS = 10_000;
/** Most that a program prints, and largest file, bytes: the largest sensible policy has a few KB. */
const LARGEST_BYTES = 1024 * 1024;

/** A file and who could have written it. */
export interface GuardedFile {
  readonly bytes: Uint8Array;
  /** The file and its folder, in this order: numeric owner and mode. */
  readonly guards: readonly { readonly path: string; readonly ownerId: number; readonly mode: number }[];
}

/** What reading a policy needs of the system. */
export interface PolicyTools {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Name of the account that runs this program. */
  readonly userName: string;
  /** The file; undefined: there is none. Error: the system's code. */
  readFile(path: string): Promise<Result<GuardedFile | undefined, string>>;
  /** Runs a program of the system by its absolute path. Error: the system's code, when it could not run to its end. */
  run(
    program: string,
    args: readonly string[],
  ): Promise<Result<{ readonly exitCode: number; readonly printed: Uint8Array }, string>>;
}

/** Reads a file once, with what it says about its writers. */
export async function readGuardedFile(path: string): Promise<Result<GuardedFile | undefined, string>> {
  try {
    // Non-blocking: a pipe of that name must not hold the start up
    await using handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (!facts.isFile()) return err('it is no file');
    if (facts.size > LARGEST_BYTES) return err('it is larger than 1 MiB');
    const folder = dirname(path);
    const around = await stat(folder);
    const guards = [
      { path, ownerId: facts.uid, mode: facts.mode },
      { path: folder, ownerId: around.uid, mode: around.mode },
    ];
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
