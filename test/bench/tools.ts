import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { toolEnvironment } from './tool-lines.ts';
import { timeCommand } from './timed-command.ts';

/** A tool that a user would script instead. */
export interface Tool {
  readonly name: 'rclone' | 'awscli' | 'curl';
  readonly program: string;
  readonly version: string;
  /** Time that it takes to start and end without work: not part of the comparison. */
  readonly startSeconds: number;
}

/** Debian's own programs, not whatever a version manager puts first. */
const wanted = [
  { name: 'rclone', program: '/usr/bin/rclone', versionArgument: 'version' },
  { name: 'awscli', program: '/usr/bin/aws', versionArgument: '--version' },
  { name: 'curl', program: '/usr/bin/curl', versionArgument: '--version' },
] as const;

const isThere = ({ program }: { readonly program: string }): boolean => existsSync(program);

/** Finds the installed tools after installing missing ones; `say` reports which sides are left out and why. */
export async function findTools(work: string, say: (text: string) => void): Promise<readonly Tool[]> {
  const missing = wanted.filter((tool) => !isThere(tool)).map(({ name }) => name);
  if (missing.length > 0) install(missing, say);
  const tools: Tool[] = [];
  for (const tool of wanted.filter(isThere)) {
    const { name, program, versionArgument } = tool;
    const printed = execFileSync(program, [versionArgument], {
      encoding: 'utf8',
      env: toolEnvironment(work),
    });
    const version = /\d+\.\d+[\w.-]*/.exec(printed)?.[0] ?? 'unknown';
    // The first start warmed the page cache
    const { seconds } = await timeCommand([program, versionArgument], toolEnvironment(work));
    tools.push({ name, program, version, startSeconds: seconds });
  }
  return tools;
}

function install(names: readonly string[], say: (text: string) => void): void {
  const command = `apt-get install -y --no-install-recommends ${names.join(' ')}`;
  if (!existsSync('/usr/bin/apt-get'))
    return say(`Left out: ${names.join(', ')}: not installed, and there is no apt-get.`);
  if (process.getuid?.() !== 0)
    return say(`Left out: ${names.join(', ')}: not installed. Run as root: ${command}`);
  say(`Installing ${names.join(', ')} from Debian's packages.`);
  const run = (line: string) =>
    spawnSync('sh', ['-c', line], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  if (run(command).status !== 0 && run(`apt-get update && ${command}`).status !== 0)
    say(`Left out: ${names.join(', ')}: they could not be installed. The command was: ${command}`);
}
