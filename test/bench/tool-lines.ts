import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchStore } from './bench-store.ts';
import type { CommandLine } from './timed-command.ts';
import type { Tool } from './tools.ts';

/** One way of using a tool. */
export interface ToolSide {
  /** The label in the table. */
  readonly label: string;
  readonly tool: Tool;
  /**
   * One file: 16 MiB parts, four at a time, as the agent sends them. Folders: as many in parallel as pays off, and no
   * look-ups.
   */
  readonly isTuned: boolean;
  /** awscli with the AWS Common Runtime's transfer client, which is written in C. */
  readonly isCrt?: boolean;
}

/**
 * The sides of the tools, each with its defaults; rclone and awscli also with the agent's parts, and awscli with its
 * other transfer client if that can reach the store.
 */
export function toolSides(
  tools: readonly Tool[],
  withTuned: boolean,
  { crtEndpoint }: Pick<BenchStore, 'crtEndpoint'>,
): readonly ToolSide[] {
  return tools.flatMap((tool) => {
    const label = `${tool.name} ${tool.version}`;
    if (tool.name === 'curl') return [{ label: `${label} -T`, tool, isTuned: false }];
    const plain = { label: `${label}, defaults`, tool, isTuned: false };
    const tuned = { label: `${label}, 16 MiB x 4`, tool, isTuned: true };
    const crt = { label: `${label}, CRT`, tool, isTuned: true, isCrt: true };
    const hasCrt = tool.name === 'awscli' && crtEndpoint !== undefined;
    return [plain, ...(withTuned ? [tuned, ...(hasCrt ? [crt] : [])] : [])];
  });
}

const endpointOf = ({ isCrt = false }: ToolSide, store: BenchStore): string =>
  (isCrt ? store.crtEndpoint : undefined) ?? store.endpoint();

/** The environment of every tool: no settings of this account, no proxy. */
export function toolEnvironment(work: string): Record<string, string> {
  return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: work, NO_PROXY: '*' };
}

/** The variable from which each tool reads its trusted certificate authorities. */
const AUTHORITY_VARIABLES = {
  rclone: 'SSL_CERT_FILE',
  awscli: 'AWS_CA_BUNDLE',
  curl: 'CURL_CA_BUNDLE',
} as const;

/** The environment of a side: the store's address, and the part size. */
export function sideEnvironment(work: string, store: BenchStore, side: ToolSide): Record<string, string> {
  const folder = join(work, 'tool-settings');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'aws');
  const cut = 's3 =\n  multipart_chunksize = 16MB\n  max_concurrent_requests = 4\n';
  const crt = 's3 =\n  preferred_transfer_client = crt\n  addressing_style = path\n';
  const how = side.isCrt === true ? crt : side.isTuned ? cut : '';
  writeFileSync(config, `[default]\nregion = us-east-1\n${how}`);
  const { accessKeyId, secretAccessKey } = store;
  return {
    ...toolEnvironment(work),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_CONFIG_FILE: config,
    AWS_EC2_METADATA_DISABLED: 'true',
    RCLONE_CONFIG: join(folder, 'rclone.conf'),
    RCLONE_CONFIG_STORE_TYPE: 's3',
    RCLONE_CONFIG_STORE_PROVIDER: 'Other',
    RCLONE_CONFIG_STORE_ENV_AUTH: 'true',
    RCLONE_CONFIG_STORE_REGION: 'us-east-1',
    RCLONE_CONFIG_STORE_ENDPOINT: store.endpoint(),
    ...(store.caFile !== undefined && { [AUTHORITY_VARIABLES[side.tool.name]]: store.caFile }),
  };
}

/** Uploads one file. curl gets a signed URL, as it cannot sign. */
export function fileLine(side: ToolSide, store: BenchStore, file: string, url: string): CommandLine {
  const { program, name } = side.tool;
  const key = `${store.bucket}/clip.mp4`;
  const cut = ['--s3-chunk-size', '16M', '--s3-upload-concurrency', '4'];
  if (name === 'curl') return [program, '-sSf', '-o', '/dev/null', '-T', file, url];
  if (name === 'rclone') return [program, 'copyto', file, `store:${key}`, ...(side.isTuned ? cut : [])];
  return [program, '--endpoint-url', endpointOf(side, store), 's3', 'cp', '--quiet', file, `s3://${key}`];
}

/** Options that let rclone send new files as fast as it can: it asks nothing of the store, neither before nor after. */
const BARE_RCLONE = '--transfers 16 --s3-no-head --s3-no-check-bucket --no-check-dest --no-traverse'.split(
  ' ',
);

/** Uploads a folder with all its contents; curl reads the list of files and URLs from `listFile`. */
export function folderLine(side: ToolSide, store: BenchStore, folder: string, listFile: string): CommandLine {
  const { program, name } = side.tool;
  if (name === 'curl') return [program, '-sSf', '-Z', '--parallel-max', '4', '-K', listFile];
  const how = side.isTuned ? BARE_RCLONE : ['--transfers', '4'];
  if (name === 'rclone') return [program, 'copy', folder, `store:${store.bucket}/tree`, ...how];
  const target = `s3://${store.bucket}/tree`;
  return [program, '--endpoint-url', store.endpoint(), 's3', 'cp', '--recursive', '--quiet', folder, target];
}
