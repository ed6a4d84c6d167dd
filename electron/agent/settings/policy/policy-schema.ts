import { z } from 'zod';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import type { Shape } from '../settings-shape.ts';

const { baseUrl, apiKeyFile, auth, proxy, proxyCredentialsFile, watch, upload, incident, users } =
  settingsSchema.shape;

/** What a policy may say about updates of the desktop app. */
const updatesSchema = z.strictObject({
  enabled: z.boolean().exactOptional(),
  channel: z.enum(['stable', 'beta']).exactOptional(),
  feedUrl: z
    .string()
    .regex(/^https:\/\/[^/\s]+/, 'must be an address that begins with https://')
    .exactOptional(),
});
const consoleSchema = z.strictObject({ enabled: z.boolean().exactOptional() });

/** Takes what concerns hosts out of values that were checked; all else stays as it is written. */
export const hostRulesSchema = z.looseObject({
  updates: updatesSchema.exactOptional(),
  console: consoleSchema.exactOptional(),
});

/**
 * The values of a policy: any setting, and what concerns hosts. Only checked by it: what was written is what counts,
 * since the defaults in here would make settings of what nobody said.
 */
export const policyValuesSchema = z
  .strictObject({
    baseUrl,
    apiKeyFile,
    auth: auth.unwrap(),
    proxy: proxy.unwrap().partial(),
    proxyCredentialsFile,
    watch: watch.unwrap(),
    upload: upload.unwrap().partial(),
    incident: incident.unwrap().partial(),
    users: users.unwrap().partial(),
    updates: updatesSchema,
    console: consoleSchema,
  })
  .partial();

/** The values of a policy as a shape that can be walked. */
export function policyShape(): Shape {
  return z.toJSONSchema(policyValuesSchema, { io: 'input' });
}
