/** What administrators read about one setting beside its description in the schema, and a value that could stand there. */
export interface PolicyWords {
  readonly title: string;
  /** How it is written as a policy, where that is not plain. */
  readonly form?: string;
  readonly example: unknown;
}

/** Every setting that a policy may hold, by its dotted name. A test compares the names with the settings themselves. */
export const policyWords: Readonly<Record<string, PolicyWords>> = {
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
  'console.enabled': {
    title: 'Web console of the headless agent',
    example: true,
  },
};
