import { z } from 'zod';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { hostSchema } from './host-schema.ts';

/** How a setting is written as a registry value, where there are no groups or lists. */
export type PolicyKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'lines' }
  | { readonly kind: 'json' };

/** A setting that a policy may contain. */
export interface PolicySetting extends Omit<PolicyWords, 'form'> {
  readonly path: string;
  readonly value: PolicyKind;
  readonly explain: string;
}
type Leaf = Pick<PolicySetting, 'path' | 'value' | 'explain'>;

/** Maximum of a REG_DWORD. */
const MOST_DWORD = 2 ** 32 - 1;
type Shape = z.core.JSONSchema.BaseSchema;
const onlyShape = (shape: Shape | boolean): Shape => (typeof shape === 'boolean' ? {} : shape);

/** All settings, in the order of the schema. Throws when a setting has no texts, or texts have no setting. */
export function policySettings(): readonly PolicySetting[] {
  const shapes = [settingsSchema, hostSchema].map((schema) => z.toJSONSchema(schema, { io: 'input' }));
  const settings = shapes.flatMap((shape) => leaves(shape, '')).map(withWords);
  const paths = new Set(settings.map(({ path }) => path));
  const idle = Object.keys(policyWords).filter((path) => !paths.has(path));
  if (idle.length > 0)
    throw new Error(`policy-settings.ts describes settings that do not exist: ${idle.join(', ')}`);
  return settings;
}

function withWords({ path, value, explain }: Leaf): PolicySetting {
  const words = policyWords[path];
  if (words === undefined) throw new Error(`policy-settings.ts does not describe the setting ${path}`);
  const { form = '', ...rest } = words;
  return { path, value, ...rest, explain: `${explain} ${form}`.trim() };
}

function leaves(shape: Shape, prefix: string): readonly Leaf[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    const here = onlyShape(inner);
    if (here.properties !== undefined) return leaves(here, `${path}.`);
    return [{ path, value: kindOf(here, path), explain: explained(here) }];
  });
}

/** The schema's description and default, without backticks. */
function explained({ description = '', default: byDefault }: Shape): string {
  const isPlain = byDefault !== '' && ['string', 'number', 'boolean'].includes(typeof byDefault);
  return `${description.replaceAll('`', '')}${isPlain ? ` Default: ${String(byDefault)}.` : ''}`;
}

function kindOf(shape: Shape, path: string): PolicyKind {
  if (shape.enum !== undefined) return { kind: 'choice', values: shape.enum.map(String) };
  if (shape.anyOf !== undefined) {
    const filled = shape.anyOf.map(onlyShape).filter(({ type }) => type !== 'null');
    if (filled.length === 1 && filled[0] !== undefined) return kindOf(filled[0], path);
    if (filled.every(({ type }) => type === 'string' || type === 'integer')) return { kind: 'text' };
  }
  switch (shape.type) {
    case 'boolean':
      return { kind: 'switch' };
    case 'integer':
      return {
        kind: 'number',
        least: shape.minimum ?? 0,
        most: Math.min(shape.maximum ?? MOST_DWORD, MOST_DWORD),
      };
    case 'string':
      return { kind: 'text' };
    case 'array':
      return itemsAreTexts(shape) ? { kind: 'lines' } : { kind: 'json' };
    default:
      if (shape.oneOf !== undefined) return { kind: 'json' };
      throw new Error(`${path} has a type that policies do not support yet`);
  }
}

const itemsAreTexts = ({ items }: Shape): boolean =>
  typeof items === 'object' && !Array.isArray(items) && items.type === 'string';

/** Texts about a setting for administrators, besides its description in the schema, and an example value. */
interface PolicyWords {
  readonly title: string;
  /** How it is written as a policy, if that is not obvious. */
  readonly form?: string;
  readonly example: unknown;
}

/** All settings that a policy may contain, by dotted name. A test compares the names with the settings. */
const policyWords: Readonly<Record<string, PolicyWords>> = {
  baseUrl: {
    title: 'Address of the service',
    example: 'https://api.example.com/v1',
  },
  apiKeyFile: {
    title: 'File with the API key',
    form: 'Enter the full path. Never put the key itself in a policy: every account on the PC can read policies.',
    example: '/etc/vms-export-agent/api-key',
  },
  auth: {
    title: 'How the key is sent',
    form: 'Enter JSON.',
    example: { scheme: 'bearer' },
  },
  'proxy.url': {
    title: 'Forward proxy',
    form: 'Only http and https proxies. Never put the user name or password in a policy.',
    example: 'http://proxy.example.com:3128',
  },
  'proxy.bypass': {
    title: 'Hosts to reach without the proxy',
    form: 'One per line. This PC itself is always reached without the proxy.',
    example: ['storage.example.com', '10.0.0.0/8'],
  },
  proxyCredentialsFile: {
    title: 'File with the user name and password for the proxy',
    form: 'Enter the full path.',
    example: '/etc/vms-export-agent/proxy',
  },
  siteId: {
    title: 'Name shared by desks that watch the same folders',
    example: 'north-stand',
  },
  watch: {
    title: 'Watched folders',
    form: 'Enter JSON with full paths, such as [{"path":"D:\\\\Exports","timeZone":"Europe/London","settleSeconds":30}]. Lists from different sources are not merged.',
    example: [{ path: '/srv/vms-exports', timeZone: 'Europe/London', settleSeconds: 30 }],
  },
  patterns: {
    title: 'Patterns for file names',
    form: 'Enter JSON. Lists from different sources are not merged.',
    example: [
      {
        name: 'gates',
        template: '{camera}_{date:YYYYMMDD}_{time:HHmmss}',
        samples: ['Gate 4_20260501_193005.mp4'],
      },
    ],
  },
  cameras: {
    title: 'Cameras',
    form: 'Enter JSON. Lists from different sources are not merged.',
    example: [{ match: '192.168.1.11', by: 'ip', cameraName: 'Gate 4 North', clockOffsetSeconds: -37 }],
  },
  'upload.multipartThresholdBytes': {
    title: 'Size at which clips are sent in parts',
    example: 100_000_000,
  },
  'upload.partSizeBytes': {
    title: 'Size of a part',
    example: 33_554_432,
  },
  'upload.concurrentFiles': {
    title: 'Clips sent at the same time',
    example: 2,
  },
  'upload.concurrentParts': {
    title: 'Parts sent at the same time',
    example: 4,
  },
  'upload.maxBytesPerSecond': {
    title: 'Limit for all uploads together',
    example: 5_000_000,
  },
  'upload.schedule': {
    title: 'Limits by weekday and time of day',
    form: 'Enter JSON, such as [{"days":["mon","tue","wed","thu","fri"],"from":"07:00","to":"19:00","limit":2000000}]. Lists from different sources are not merged.',
    example: [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00', limit: 2_000_000 },
      { days: ['sat'], from: '14:00', to: '17:30', limit: 'pause' },
    ],
  },
  'upload.onBattery': {
    title: 'Limit while the PC is on battery power',
    form: 'Enter pause, full, or bytes per second.',
    example: 'pause',
  },
  'upload.onMetered': {
    title: 'Limit while the connection is metered',
    form: 'Enter pause, full, or bytes per second.',
    example: 500_000,
  },
  'upload.whileWriting': {
    title: 'Send large clips while they are still being written',
    example: 'auto',
  },
  'upload.wastedBytesPerDay': {
    title: 'Bytes that may be sent and then discarded per day',
    example: 5_000_000_000,
  },
  'upload.hosts': {
    title: 'Allowed storage hosts',
    form: 'One host per line.',
    example: ['storage.example.com'],
  },
  'evidence.hashAtIntake': {
    title: 'When clips are hashed for comparison with what is sent',
    example: 'always',
  },
  'retention.incidentsDays': {
    title: 'Days to keep finished incidents',
    example: 90,
  },
  'metrics.textfile': {
    title: 'File for the metrics of this desk',
    form: 'Enter the full path.',
    example: '/var/lib/node_exporter/textfile/vms-export-agent.prom',
  },
  'retention.auditMonths': {
    title: 'Months to keep the audit trail',
    example: 24,
  },
  'evidence.headChannel': {
    title: 'Channel for the latest chain hash',
    example: 'security-desk',
  },
  'evidence.timestampUrl': {
    title: 'Time-stamp service for custody packs',
    example: 'https://time.example.com/tsa',
  },
  'incident.publish': {
    title: 'When to publish an incident',
    example: 'progressive',
  },
  'incident.unknownTimes': {
    title: 'What to send if the recording time is not known',
    example: 'omit',
  },
  'users.updateMethod': {
    title: 'HTTP method for updating users',
    example: 'POST',
  },
  'updates.enabled': {
    title: 'Updates for the desktop app',
    example: false,
  },
  'updates.channel': {
    title: 'Update channel',
    example: 'stable',
  },
  'updates.feedUrl': {
    title: 'Address of the update feed',
    example: 'https://updates.example.com/vms-export-agent',
  },
  'cleanUp.afterDays': {
    title: 'Days after which stored exports are removed from the watched folder',
    example: 30,
  },
  'cleanUp.action': {
    title: 'Whether stored exports are moved or deleted',
    example: 'move',
  },
  'cleanUp.folder': {
    title: 'Folder that stored exports are moved to',
    form: 'Enter the full path.',
    example: '/srv/vms-exports-sent',
  },
  'signedPolicy.url': {
    title: 'Address of the signed policy',
    example: 'https://policy.example.com/desks.json',
  },
  'signedPolicy.publicKey': {
    title: 'Key of the signed policy',
    example: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  },
  'otlp.url': {
    title: 'Metrics collector',
    example: 'https://collector.example.com/v1/metrics',
  },
  'otlp.headers': {
    title: 'Headers for the collector',
    form: 'One header per line, such as Authorization: Bearer 1234.',
    example: ['Authorization: Bearer 1234'],
  },
  'console.enabled': {
    title: 'Web console of the headless agent',
    example: true,
  },
};
