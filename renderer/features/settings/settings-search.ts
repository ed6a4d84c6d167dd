import { z } from 'zod';

/** The parts of the screen, in their order. */
export const settingsParts = [
  'connection',
  'folders',
  'uploads',
  'service',
  'display',
  'notifications',
  'shortcuts',
] as const;

/** What of the screen stands in its address. */
export const settingsSearchSchema = z.object({ part: z.enum(settingsParts).catch('connection') });
