import { z } from 'zod';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { hostSchema } from './host-schema.ts';

/** How a setting is written where there are no groups and lists: as a value of the registry. */
export type PolicyKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'lines' }
  | { readonly kind: 'json' };

/** One setting that a policy may hold. */
export interface PolicySetting extends Omit<PolicyWords, 'form'> {
  readonly path: string;
  readonly value: PolicyKind;
  readonly explain: string;
}
type Leaf = Pick<PolicySetting, 'path' | 'value' | 'explain'>;

/** Largest number of a REG_DWORD. */
const MOST_DWORD = 2 ** 32 - 1;
type Shape = z.core.JSONSchema.BaseSchema;
const onlyShape = (shape: Shape | boolean): Shape => (typeof shape === 'boolean' ? {} : shape);

/** Every setting, in the order of the schema. Throws when one has no words, or words have no setting. */
export function policySettings(): readonly PolicySetting[] {
  const shapes = [settingsSchema, hostSchema].map((schema) => z.toJSONSchema(schema, { io: 'input' }));
  const settings = shapes.flatMap((shape) => leaves(shape, '')).map(withWords);
  const paths = new Set(settings.map(({ path }) => path));
  const idle = Object.keys(policyWords).filter((path) => !paths.has(path));
  if (idle.length > 0)
    throw new Error(`policy-settings.ts tells of settings that are none: ${idle.join(', ')}`);
  return settings;
}

function withWords({ path, value, explain }: Leaf): PolicySetting {
  const words = policyWords[path];
  if (words === undefined) throw new Error(`policy-settings.ts does not tell of the setting ${path}`);
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

/** The description of the schema and its default, without the marks of code. */
function explained({ description = '', default: byDefault }: Shape): string {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof byDefault);
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
      throw new Error(`${path} is of a kind that no policy has yet`);
  }
}

const itemsAreTexts = ({ items }: Shape): boolean =>
  typeof items === 'object' && !Array.isArray(items) && items.type === 'string';

/** What administrators read about one setting beside its description in the schema, and a value that could stand there. */
interface PolicyWords {
  readonly title: string;
  /** How it is written as a policy, where that is not plain. */
  readonly form?: string;
  readonly example: unknown;
}

/** Every setting that a policy may hold, by its dotted name. A test compares the names with the settings themselves. */
const policyWords: Readonly<Record<string, PolicyWords>> = {
  baseUrl: {
    title: 'Address of the service',
    example: 'https://api.example.com/v1',
  },
  apiKeyFile: {
    title: 'File with the API key',
    form: 'Write the full path. The key itself never belongs into a policy: every account of the PC can read policies.',
    example: '/etc/vms-export-agent/api-key',
  },
  auth: {
    title: 'How the key is sent',
    form: 'Written as JSON.',
    example: { scheme: 'bearer' },
  },
  'proxy.url': {
    title: 'Forward proxy',
    form: 'Only http and https proxies; name and password never belong into a policy.',
    example: 'http://proxy.example.com:3128',
  },
  'proxy.bypass': {
    title: 'Hosts that are reached without the proxy',
    form: 'One a line. This PC itself is always reached without the proxy.',
    example: ['storage.example.com', '10.0.0.0/8'],
  },
  proxyCredentialsFile: {
    title: 'File with name and password for the proxy',
    form: 'Write the full path.',
    example: '/etc/vms-export-agent/proxy',
  },
  siteId: {
    title: 'Name that desks share which watch the same folders',
    example: 'north-stand',
  },
  watch: {
    title: 'Watched folders',
    form: 'Written as JSON with full paths, as in [{"path":"D:\\\\Exports","timeZone":"Europe/London","settleSeconds":30}]. The whole list replaces the one below it.',
    example: [{ path: '/srv/vms-exports', timeZone: 'Europe/London', settleSeconds: 30 }],
  },
  patterns: {
    title: 'Patterns for file names',
    form: 'Written as JSON. The whole list replaces the one below it.',
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
    form: 'Written as JSON. The whole list replaces the one below it.',
    example: [{ match: '192.168.1.11', by: 'ip', cameraName: 'Gate 4 North', clockOffsetSeconds: -37 }],
  },
  'upload.multipartThresholdBytes': {
    title: 'Size from which clips are sent in parts',
    example: 100_000_000,
  },
  'upload.partSizeBytes': {
    title: 'Size of a part',
    example: 33_554_432,
  },
  'upload.concurrentFiles': {
    title: 'Clips that are sent at the same time',
    example: 2,
  },
  'upload.concurrentParts': {
    title: 'Parts that are sent at the same time',
    example: 4,
  },
  'upload.maxBytesPerSecond': {
    title: 'Limit for all uploads together',
    example: 5_000_000,
  },
  'upload.schedule': {
    title: 'Limits by weekday and time of day',
    form: 'Written as JSON, as in [{"days":["mon","tue","wed","thu","fri"],"from":"07:00","to":"19:00","limit":2000000}]. The whole list replaces the one below it.',
    example: [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00', limit: 2_000_000 },
      { days: ['sat'], from: '14:00', to: '17:30', limit: 'pause' },
    ],
  },
  'upload.onBattery': {
    title: 'Limit while the PC runs on its battery',
    form: 'Write pause, full, or bytes per second.',
    example: 'pause',
  },
  'upload.onMetered': {
    title: 'Limit while the connection is metered',
    form: 'Write pause, full, or bytes per second.',
    example: 500_000,
  },
  'upload.whileWriting': {
    title: 'Send large clips while they are still being written',
    example: 'auto',
  },
  'upload.wastedBytesPerDay': {
    title: 'What may be sent and then discarded within a day',
    example: 5_000_000_000,
  },
  'upload.hosts': {
    title: 'Hosts that storage addresses may name',
    form: 'One host a line.',
    example: ['storage.example.com'],
  },
  'evidence.hashAtIntake': {
    title: 'When clips are hashed for the comparison with what is sent',
    example: 'always',
  },
  'retention.incidentsDays': {
    title: 'Days until finished incidents leave the lists',
    example: 90,
  },
  'metrics.textfile': {
    title: 'File for the figures of the desk',
    form: 'Write the full path.',
    example: '/var/lib/node_exporter/textfile/vms-export-agent.prom',
  },
  'retention.auditMonths': {
    title: 'Months until rows leave the audit trail',
    example: 24,
  },
  'evidence.headChannel': {
    title: 'Channel that gets the newest hash of the chain',
    example: 'security-desk',
  },
  'evidence.timestampUrl': {
    title: 'Time-stamp service for custody packs',
    example: 'https://time.example.com/tsa',
  },
  'incident.publish': {
    title: 'When an incident is written',
    example: 'progressive',
  },
  'users.updateMethod': {
    title: 'Method that changes users',
    example: 'POST',
  },
  'updates.enabled': {
    title: 'Updates of the desktop app',
    example: false,
  },
  'updates.channel': {
    title: 'Channel of updates',
    example: 'stable',
  },
  'updates.feedUrl': {
    title: 'Address of the update feed',
    example: 'https://updates.example.com/vms-export-agent',
  },
  'cleanUp.afterDays': {
    title: 'Days after which stored exports leave the watched folder',
    example: 30,
  },
  'cleanUp.action': {
    title: 'Whether stored exports are moved or deleted',
    example: 'move',
  },
  'cleanUp.folder': {
    title: 'Folder that stored exports are moved to',
    form: 'Write the full path.',
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
    title: 'Collector of figures',
    example: 'https://collector.example.com/v1/metrics',
  },
  'otlp.headers': {
    title: 'Headers for the collector',
    form: 'One header a line, as in Authorization: Bearer 1234.',
    example: ['Authorization: Bearer 1234'],
  },
  'console.enabled': {
    title: 'Web console of the headless agent',
    example: true,
  },
};
