import { execFileSync } from 'node:child_process';

/** Everything that is shipped, as CycloneDX in JSON, made by npm from the lock file. */
export function makeSbom(): string {
  const args = [
    'sbom',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
  ];
  return execFileSync('npm', args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}
