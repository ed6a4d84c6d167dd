import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { InspectedExport } from '../../electron/agent/files/inspect-export.ts';

/**
 * The command that runs a script, under Node or another `program`, with file permissions in force. They do not apply to
 * the superuser, who therefore runs it without the two capabilities that override them: another account may not be able
 * to reach the script at all.
 */
export function underPermissions(
  script: string,
  argument: string,
  program = process.execPath,
): [command: string, args: string[]] {
  if (process.getuid?.() !== 0) return [program, [script, argument]];
  return ['setpriv', ['--bounding-set=-dac_override,-dac_read_search', program, script, argument]];
}

/** Scans a root in a process to which file permissions apply. */
export function scanUnderPermissions(root: string): { code: string; looks: readonly InspectedExport[] } {
  const script = fileURLToPath(new URL('print-scan.ts', import.meta.url));
  return JSON.parse(execFileSync(...underPermissions(script, root), { encoding: 'utf8' }));
}
