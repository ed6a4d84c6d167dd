import { z } from 'zod';

/** Settings that concern the hosts, not the agent. */
export const hostSchema = z.strictObject({
  updates: z.strictObject({
    enabled: z.boolean().default(true).describe('Whether the desktop app checks for updates.'),
    channel: z.enum(['stable', 'beta']).default('stable').describe('Update channel.'),
    feedUrl: z
      .string()
      .optional()
      .describe(
        "Address of the folder with a release's files; `https` only. Without it, the release's own feed is used.",
      ),
  }),
  cleanUp: z.strictObject({
    afterDays: z
      .int()
      .min(1)
      .max(3650)
      .optional()
      .describe(
        'Days from when an export is confirmed as stored until it is removed from its watched folder. Without it, or with `siteId`, exports stay. Cannot be recommended, only managed.',
      ),
    action: z
      .enum(['move', 'delete'])
      .default('move')
      .describe(
        'What happens to the export: `move` moves the whole export to `cleanUp.folder`; `delete` deletes it if every file in it was sent.',
      ),
    folder: z.string().optional().describe('Folder that exports are moved to, outside all watched folders.'),
  }),
  console: z.strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        'Whether the headless agent may serve its web console. If `false` is only recommended, `--console PORT` still starts it.',
      ),
  }),
  signedPolicy: z.strictObject({
    url: z
      .string()
      .optional()
      .describe(
        'Address of a signed policy, `https` only, read every 15 minutes. Can be set only in the managed policy of the PC itself.',
      ),
    publicKey: z
      .string()
      .optional()
      .describe('Public key for checking the signature of the policy: a 32-byte Ed25519 key in Base64.'),
  }),
  otlp: z.strictObject({
    url: z
      .string()
      .optional()
      .describe(
        'Collector that receives metrics from this desk every 30 s over OpenTelemetry (OTLP over HTTP, JSON): `https`, or `http` on this PC. Without it, none are sent.',
      ),
    headers: z
      .array(z.string())
      .optional()
      .describe(
        'Headers for the collector, each `Name: value`. They are never logged; put secrets only in a policy that other accounts cannot read.',
      ),
  }),
});
