import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { asarOf, type PackedApp } from './packed-app.ts';

/** Parts that only the desktop has. */
const desktopOnly = ['dist/main/main.js', 'dist/preload', 'build'];

/**
 * The program for servers, which bring their own Node: the same files as in the package, taken out of its archive.
 * Answers the path of the archive.
 */
export function makeHeadlessArchive(app: PackedApp, name: string, output: string): string {
  const staging = join(output, 'headless');
  const folder = join(staging, name);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  extractAll(asarOf(app), folder);
  for (const part of desktopOnly) rmSync(join(folder, part), { recursive: true, force: true });
  for (const part of ['licences.txt', 'policies'])
    cpSync(join(app.resources, part), join(folder, part), { recursive: true });
  const service = app.target === 'win' ? 'build/windows-service' : 'build/systemd';
  cpSync(service, join(folder, 'service'), { recursive: true });
  const archive = join(output, `${name}.tar.gz`);
  // Windows has a tar of its own since 2018.
  execFileSync('tar', ['-czf', archive, '-C', staging, name]);
  rmSync(staging, { recursive: true, force: true });
  return archive;
}
