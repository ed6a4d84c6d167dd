/** What administrators read about one setting, and a value that could stand there. */
export interface PolicyWords {
  readonly title: string;
  readonly explain: string;
  readonly example: unknown;
}

/** Every setting that a policy may hold, by its dotted name. A test compares the names with the settings themselves. */
export const policyWords: Readonly<Record<string, PolicyWords>> = {
  baseUrl: {
    title: 'Address of the service',
    explain: 'Used as it is written, with the version: https://api.example.com/v1. Only https.',
    example: 'https://api.example.com/v1',
  },
  apiKeyFile: {
    title: 'File with the API key',
    explain:
      'Full path of a file with the key alone, readable by the account that runs the agent and by nobody else. The key itself never belongs into a policy: every account of the PC can read policies.',
    example: '/etc/vms-export-agent/api-key',
  },
  auth: {
    title: 'How the key is sent',
    explain:
      'JSON: {"scheme":"bearer"}, or {"scheme":"header","name":"X-Api-Key","prefix":"Key"}, or {"scheme":"query","name":"api_key"}.',
    example: { scheme: 'bearer' },
  },
  'proxy.url': {
    title: 'Forward proxy',
    explain:
      'Address of the proxy, as in http://proxy.example.com:3128, or none. Only http and https proxies; name and password never belong into a policy. Default: what HTTPS_PROXY and NO_PROXY of the environment say.',
    example: 'http://proxy.example.com:3128',
  },
  'proxy.bypass': {
    title: 'Hosts that are reached without the proxy',
    explain:
      'One a line: a host with all below it (example.com), an address, or a range (10.0.0.0/8). This PC itself is always reached without it.',
    example: ['storage.example.com', '10.0.0.0/8'],
  },
  proxyCredentialsFile: {
    title: 'File with name and password for the proxy',
    explain:
      'Full path of a file with name:password alone, readable by the account that runs the agent and by nobody else.',
    example: '/etc/vms-export-agent/proxy',
  },
  watch: {
    title: 'Watched folders',
    explain:
      'JSON: a list of folders, each with a full path, as in [{"path":"D:\\\\Exports","timeZone":"Europe/London","settleSeconds":30}]. A list takes the place of the list below it as a whole.',
    example: [{ path: '/srv/vms-exports', timeZone: 'Europe/London', settleSeconds: 30 }],
  },
  'upload.multipartThresholdBytes': {
    title: 'Size from which clips are sent in parts',
    explain: 'Bytes. Default: 100000000.',
    example: 100_000_000,
  },
  'upload.partSizeBytes': {
    title: 'Size of a part',
    explain: 'Bytes. Default: 16 MiB, more for clips that would have over 10,000 parts.',
    example: 33_554_432,
  },
  'upload.concurrentFiles': {
    title: 'Clips that are sent at the same time',
    explain: 'Default: 2.',
    example: 2,
  },
  'upload.concurrentParts': {
    title: 'Parts that are sent at the same time',
    explain: 'Default: 4.',
    example: 4,
  },
  'upload.maxBytesPerSecond': {
    title: 'Limit for all uploads together',
    explain: 'Bytes per second. Default: no limit.',
    example: 5_000_000,
  },
  'upload.hosts': {
    title: 'Hosts that storage addresses may name',
    explain:
      'One host a line, exact (storage.example.com) or with all below it (*.example.com). Default: any public host.',
    example: ['storage.example.com'],
  },
  'incident.publish': {
    title: 'When an incident is written',
    explain:
      'progressive: as soon as it is known, and again with each clip. whenComplete: once, when its last clip has settled. Default: progressive.',
    example: 'progressive',
  },
  'users.updateMethod': {
    title: 'Method that changes users',
    explain: 'What the service takes: POST or PUT. Default: POST.',
    example: 'POST',
  },
  'updates.enabled': {
    title: 'Updates of the desktop app',
    explain: 'Off where updates come by software distribution. Default: on.',
    example: false,
  },
  'updates.channel': {
    title: 'Channel of updates',
    explain: 'stable or beta. Default: stable.',
    example: 'stable',
  },
  'updates.feedUrl': {
    title: 'Address of the update feed',
    explain: 'A folder of your own with the files of a release, over https. Default: the one of the release.',
    example: 'https://updates.example.com/vms-export-agent',
  },
  'console.enabled': {
    title: 'Web console of the headless agent',
    explain: 'Whether it may serve its pages on 127.0.0.1. Default: on.',
    example: true,
  },
};
