import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Exports and their copies in storage take about 730 MB; the rest is headroom, bytes. */
const NEEDED_BYTES = 1_000_000_000;

/** The demo's own folder with everything in it, including storage. */
export interface Workspace {
  readonly folder: string;
  readonly exports: string;
  /** Outside the watched folder: clips before they are written slowly into an export, and the link's target. */
  readonly backstage: string;
  readonly storage: string;
  readonly dataDir: string;
  readonly configFile: string;
  remove(): Promise<void>;
}

/** The agent's settings in the demo. */
export interface AgentSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeZone: string;
  readonly settleSeconds: number;
}

/** Creates the folder in the system's temporary directory. */
export async function makeWorkspace(): Promise<Workspace> {
  await checkSpace();
  const folder = await mkdtemp(join(tmpdir(), 'vms-export-agent-demo-'));
  const inside = (name: string): string => join(folder, name);
  const workspace: Workspace = {
    folder,
    exports: inside('exports'),
    backstage: inside('backstage'),
    storage: inside('storage'),
    dataDir: inside('data'),
    configFile: inside('vms-export-agent.json'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
  for (const each of [workspace.exports, workspace.backstage, workspace.storage])
    await mkdir(each, { recursive: true });
  return workspace;
}

/** Writes configuration and key file: all defaults, except for the folder, the zone and a short settle time. */
export async function writeConfig(workspace: Workspace, settings: AgentSettings): Promise<void> {
  const { baseUrl, apiKey, timeZone, settleSeconds } = settings;
  const config = { baseUrl, apiKeyFile: 'key.txt', watch: [{ path: 'exports', timeZone, settleSeconds }] };
  await writeFile(workspace.configFile, `${JSON.stringify(config, undefined, 2)}\n`);
  await writeFile(join(workspace.folder, 'key.txt'), `${apiKey}\n`, { mode: 0o600 });
}

async function checkSpace(): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize >= NEEDED_BYTES) return;
  const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
  throw new Error(
    `The demo needs ${megabytes(NEEDED_BYTES)} MB in ${tmpdir()}; ${megabytes(bavail * bsize)} MB are free. ` +
      'Free some space, or set TMPDIR to another folder.',
  );
}
