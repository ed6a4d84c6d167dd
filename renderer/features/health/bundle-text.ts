import type { BundleFile } from '../../../shared/ipc/calls/health.ts';

/** All files of the bundle as one text, each below its name: it can be read and mailed without any program. */
export function bundleText(files: readonly BundleFile[]): string {
  return files.map(({ name, text }) => `===== ${name} =====\n${text.trimEnd()}\n`).join('\n');
}

/** The file that a bundle of this moment is saved as, in UTC. */
export function bundleName(nowMs: number): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `vms-export-agent-diagnostics-${time}.txt`;
}
