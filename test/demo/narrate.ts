import { formatBytes } from '../../shared/lib/readable-amounts.ts';
import { MAX_UPLOAD_SIZE_MB } from './samples.ts';
import type { Screen } from './screen.ts';
import { canLockAway, type Stage } from './stage.ts';

/** Prints where everything is, before the agent starts. */
export function describeStage(screen: Screen, { simulator, workspace, samples, made }: Stage): void {
  const clips = samples.reduce((sum, sample) => sum + sample.clips.length, 0);
  const bytes = [...made.sources.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const rows = [
    ['Service', `${simulator.baseUrl}, simulated; accepts files up to ${MAX_UPLOAD_SIZE_MB} MB`],
    ['Storage', `${simulator.storageUrl}, in a folder`],
    ['Exports', workspace.exports],
    [
      '',
      `${samples.length} folders, ${clips} clips, ${formatBytes(bytes)}; ${made.slow.length} clips are still being written`,
    ],
    ...(canLockAway() ? [] : [['', 'no unreadable clip: this account can read everything']]),
    ['Agent', 'electron/headless.ts run, in its own process'],
  ];
  screen.line();
  for (const [name = '', text = ''] of rows) screen.line(`  ${screen.paint('dim', name.padEnd(8))} ${text}`);
  screen.line();
}

/** Prints what a person can do while the agent continues. */
export function inviteOwn(screen: Screen, { workspace }: Stage): void {
  const { configFile, dataDir, exports } = workspace;
  screen.line();
  screen.line('The agent keeps running. Copy a folder of clips into');
  screen.line(`  ${screen.paint('bold', exports)}`);
  screen.line(
    'and it becomes an incident. Press Enter for a new address of the web console. In another terminal:',
  );
  screen.line(`  npm run agent -- status --config ${configFile} --data-dir ${dataDir}`);
  screen.line('Ctrl+C stops everything and removes the folder.');
  screen.line();
}
