import { z } from 'zod';
import { checkLineSchema, healthSchema } from '../../domain/health.ts';
import { settingsSchema } from '../../domain/settings.ts';
import { defineCall } from '../define-call.ts';
import { setupCalls } from './health.ts';

const nothing = z.strictObject({});

/** What can be set where a person sits; the key is not among it and never crosses. */
export const settingsViewSchema = z
  .object({
    settings: settingsSchema.omit({ apiKeyFile: true, proxyCredentialsFile: true }),
    /** The file that they come from; missing when the host was given them otherwise: then they cannot be saved. */
    file: z.string().exactOptional(),
    /** True when what is saved differs from what the agent runs with. */
    needsRestart: z.boolean(),
    /** Settings that are fixed from outside and cannot be changed here, as paths: `baseUrl`, `upload`, `users.updateMethod`. */
    managed: z.array(z.string()).readonly().exactOptional(),
    /** Present on a try-out: a simulated service is there, and its key is stored. */
    isDemo: z.literal(true).exactOptional(),
  })
  .readonly();
/** See `settingsViewSchema`. */
export type SettingsView = z.infer<typeof settingsViewSchema>;

const { baseUrl, auth, proxy, watch, upload, incident, users } = settingsSchema.shape;

/**
 * The sections that are to be replaced. Their defaults are taken off: with them, a section that nobody named would be
 * filled in and overwrite what stands in the file.
 */
export const settingsChangeSchema = z
  .strictObject({
    baseUrl,
    auth: auth.unwrap(),
    proxy: proxy.unwrap(),
    watch: watch.unwrap(),
    upload: upload.unwrap(),
    incident: incident.unwrap(),
    users: users.unwrap(),
  })
  .partial()
  .readonly();
/** See `settingsChangeSchema`. */
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** The agent itself. */
export const agentCalls = {
  ...setupCalls,
  'settings.get': defineCall(nothing, settingsViewSchema),
  /**
   * Replaces the named sections of the file; the others stay as they are written there.
   * Errors: the CONFIG_ codes with `fields`, and the ROOT_ codes of folders that must not be watched; nothing was written.
   * SETTING_MANAGED with `fields` for what is fixed from outside; CONFIG_UNREADABLE when the file cannot be written,
   * CONFIG_MISSING when it is gone. A desk that was never set up gets its file.
   */
  'settings.save': defineCall(z.strictObject({ change: settingsChangeSchema }), settingsViewSchema),
  /**
   * Has the agent start again with what the file says; uploads go on where they were. When it cannot, it goes on with
   * the settings before, and says so. Errors: the CONFIG_ codes.
   */
  'settings.apply': defineCall(nothing, z.object({}).readonly()),
  /** Name resolution, TLS, key, video permission and clock, one line each, with the settings in force. */
  'connection.check': defineCall(
    nothing,
    z.object({ lines: z.array(checkLineSchema).readonly() }).readonly(),
  ),
  'health.get': defineCall(nothing, healthSchema),
};
