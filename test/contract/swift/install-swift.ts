import { spawn, spawnSync } from 'node:child_process';
import { err, ok, type Result } from '../../../shared/lib/result.ts';

const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'];
const programs = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'swift-ring-builder',
];

/** Makes sure that Swift is installed; the error says how to install it. */
export async function installSwift(): Promise<Result<undefined, string>> {
  if (programs.every(isInstalled)) return ok(undefined);
  const command = `apt-get install --no-install-recommends ${packages.join(' ')}`;
  if (!isInstalled('apt-get'))
    return err('Swift is not installed, and this system has no apt-get to install it with.');
  if (process.getuid?.() !== 0)
    return err(`Swift is not installed, and installing it needs root. Run as root: ${command}`);
  console.log(`Installing ${packages.join(', ')} from Debian's packages.`);
  const install = ['install', '-y', '-q', '--no-install-recommends', ...packages];
  if ((await runApt(install)) || ((await runApt(['update', '-q'])) && (await runApt(install))))
    return ok(undefined);
  return err(`Swift could not be installed; apt-get said why above. The command was: ${command}`);
}

function isInstalled(program: string): boolean {
  return spawnSync('which', [program], { stdio: 'ignore' }).status === 0;
}

function runApt(args: readonly string[]): Promise<boolean> {
  const child = spawn('apt-get', args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
