import { z } from 'zod';

/** The parts of the screen, in their order. */
export const settingsParts = [
  'connection',
  'folders',
  'uploads',
  'service',
  'display',
  'notifications',
  'desktop',
  'updates',
  'shortcuts',
] as const;
/** One of `settingsParts`. */
export type SettingsPart = (typeof settingsParts)[number];

/** What only a desktop has. */
const desktopParts: readonly SettingsPart[] = ['desktop', 'updates'];

/** The parts that there are here. */
export function partsOf(isDesktop: boolean): readonly SettingsPart[] {
  return isDesktop ? settingsParts : settingsParts.filter((part) => !desktopParts.includes(part));
}

/** What of the screen stands in its address. */
export const settingsSearchSchema = z.object({ part: z.enum(settingsParts).catch('connection') });
