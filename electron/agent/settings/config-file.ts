import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import {
  decodeText,
  type JsonProblem,
  type JsonValue,
  parseStrictJson,
} from '../core/text/parse-strict-json.ts';
import { fileAdvice, systemCode } from './file-advice.ts';
import { findIntruder, type Intruder } from './guarded-path.ts';

/** Largest configuration file, bytes: the largest sensible one has a few KB. */
const LARGEST_FILE_BYTES = 1024 * 1024;
/** Deepest nesting of a configuration; the settings need three levels. */
const DEEPEST = 16;
/** Longest key that is repeated in a message, characters. */
const LONGEST_KEY = 60;

/**
 * Reads a JSON file as a value. The file is never changed, whatever is wrong with it. CONFIG_UNSAFE: another account
 * could have written to it.
 */
export async function readConfigFile(file: string): Promise<Result<JsonValue, Failure>> {
  const bytes = await readBytes(file);
  return bytes.ok ? parseConfig(bytes.value, file) : bytes;
}

/** The same; a missing file is an empty group. */
export async function readConfigOrNothing(file: string): Promise<Result<JsonValue, Failure>> {
  const written = await readConfigFile(file);
  return written.ok || written.error.code !== 'CONFIG_MISSING' ? written : ok({});
}

/** Parses the current or future content of the file. Errors: CONFIG_BROKEN, CONFIG_UNREADABLE if it is too large. */
export function parseConfig(bytes: Uint8Array, file: string): Result<JsonValue, Failure> {
  if (bytes.length > LARGEST_FILE_BYTES) return err(tooLarge(file));
  const text = decodeText(bytes);
  if (text === undefined)
    return err(failure('CONFIG_BROKEN', `${file} is not text in UTF-8 or UTF-16.`, 'Save it as UTF-8.'));
  const value = parseStrictJson(text, DEEPEST);
  if (value.ok) return value;
  const message = `${file} is not valid JSON: ${describeJsonProblem(text, value.error)}.`;
  return err(failure('CONFIG_BROKEN', message, 'Correct that line. Nothing was changed.'));
}

async function readBytes(file: string): Promise<Result<Uint8Array, Failure>> {
  try {
    // Non-blocking: a pipe with that name must not block the program
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (facts.isDirectory()) return err(notAFile(file, 'is a folder'));
    if (!facts.isFile()) return err(notAFile(file, 'is not a regular file'));
    if (facts.size > LARGEST_FILE_BYTES) return err(tooLarge(file));
    const intruder = findIntruder(file);
    if (intruder !== undefined) return err(unsafeConfig(file, intruder));
    return ok(await handle.readFile());
  } catch (error) {
    return err(openFailure(file, error));
  }
}

function openFailure(file: string, error: unknown): Failure {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return failure('CONFIG_MISSING', `There is no configuration file at ${file}.`, exampleAdvice);
  if (code === 'EISDIR') return notAFile(file, 'is a folder');
  const advice = fileAdvice(code, "Check that the agent's account can read the file.");
  return failure('CONFIG_UNREADABLE', `Could not read ${file} (${code}).`, advice);
}

const exampleAdvice =
  'On a new desk, run "vms-export-agent run" and open the address it shows. Otherwise, restore or create the file, or use another one (in a terminal: --config FILE). A minimal file: {"baseUrl": "https://api.example.com/v1", "apiKeyFile": "key.txt", "watch": [{"path": "exports"}]}';

/** Whoever can write a configuration decides where the key goes. */
function unsafeConfig(file: string, { path, fault, command }: Intruder): Failure {
  const what =
    path === file ? `The configuration ${file}` : `${path}, a parent folder of the configuration ${file},`;
  return failure(
    'CONFIG_UNSAFE',
    `${what} ${fault}. The configuration was not used.`,
    `Check the configuration. If it is right, run (as root if necessary): ${command}`,
  );
}

const notAFile = (file: string, what: string): Failure =>
  failure(
    'CONFIG_UNREADABLE',
    `${file} ${what}.`,
    'Replace it with a JSON file, or use another file (in a terminal: --config FILE).',
  );

/** Also used for content that is about to be saved: the file itself may still be smaller. */
const tooLarge = (file: string): Failure =>
  failure(
    'CONFIG_UNREADABLE',
    `${file} must not be larger than 1 MiB.`,
    'Remove entries that are no longer needed, such as cameras, or use another file (in a terminal: --config FILE).',
  );

const failure = (code: FailureCode, message: string, advice: string): Failure => ({
  code,
  message,
  advice,
  retryable: false,
});

/** Where and why a text is not valid JSON, in words; the text at that place identifies the most common mistakes. */
function describeJsonProblem(text: string, problem: JsonProblem): string {
  return `line ${problem.line}, column ${problem.column}: ${reasonOf(text, problem)}`;
}

function reasonOf(text: string, problem: JsonProblem): string {
  switch (problem.kind) {
    case 'duplicate-key':
      return `the key "${visibleName(problem.what.slice(0, LONGEST_KEY))}" appears twice in the same group`;
    case 'number':
      return 'the number is too large to be read exactly';
    case 'depth':
      return 'groups are nested too deeply';
    case 'syntax':
      return slipAt(restOf(text, problem)) ?? `${problem.what} is expected here`;
  }
}

function restOf(text: string, { line, column }: JsonProblem): string {
  const lines = text.split(/\r\n|\n|\r/);
  return lines[line - 1]?.slice(column - 1) ?? '';
}

function slipAt(rest: string): string | undefined {
  if (/^(?:\/\/|\/\*|#)/.test(rest)) return 'JSON does not allow comments';
  if (rest.startsWith('\\')) return 'a backslash inside text must be written twice, as in "C:\\\\exports"';
  if (rest.startsWith("'")) return 'text must be in double quotes';
  return undefined;
}
