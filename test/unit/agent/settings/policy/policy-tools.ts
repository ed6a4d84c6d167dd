import { err, ok } from '../../../../../shared/lib/result.ts';
import type { GuardedFile } from '../../../../../electron/agent/settings/policy/policy.ts';
import type { DeskTools } from '../../../../../electron/agent/settings/policy/read-policy.ts';

/** A file written by root. */
export const rootFile = (text: string, guards: GuardedFile['guards'] = []): GuardedFile => ({
  bytes: Buffer.from(text),
  guards,
});

/** Tools over files and programs given by a test; a program that is not given cannot be run. */
export function createPolicyTools(
  platform: NodeJS.Platform,
  {
    files = {},
    programs = {},
  }: {
    readonly files?: Readonly<Record<string, GuardedFile | string>>;
    /** The output of each command line; a number is its exit code. */
    readonly programs?: Readonly<Record<string, string | number>>;
  } = {},
) {
  const ran: string[] = [];
  const tools: DeskTools = {
    platform,
    environment: { SystemRoot: 'C:\\Windows' },
    userName: 'ada',
    readSigned: async () => err([]),
    async readFile(path) {
      const file = files[path];
      return typeof file === 'string' ? err(file) : ok(file);
    },
    async run(program, args) {
      const line = [program, ...args].join(' ');
      ran.push(line);
      const printed = programs[line];
      if (printed === undefined) return err('ENOENT');
      return typeof printed === 'number'
        ? ok({ exitCode: printed, printed: Buffer.from('') })
        : ok({ exitCode: 0, printed: Buffer.from(printed) });
    },
  };
  return { tools, ran };
}
