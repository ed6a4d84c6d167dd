import { basename, dirname } from 'node:path';
import { settingsSchema, type WatchSettings } from '../../../shared/domain/settings.ts';
import type { WatchedRoot } from '../running.ts';
import type { IntakeRules } from './intake-rules.ts';

/** Where a folder that is sent by itself belongs, and by which rules it is read. */
export interface PushPlace {
  readonly settings: WatchSettings;
  /** Path of its root: that of the settings, or its parent. */
  readonly rootPath: string;
  /** Name inside the root. */
  readonly exportPath: string;
  readonly rules: IntakeRules;
}

/**
 * Inside a root of the settings it is the very export that watching that root would find: same id, zone and profile.
 * `folder` is a real path.
 */
export function pushPlace(roots: readonly WatchedRoot[], folder: string): PushPlace {
  const parent = dirname(folder);
  const root = roots.find(({ realPath }) => realPath === parent);
  const settings = root?.settings ?? defaultWatch(parent);
  return { settings, rootPath: settings.path, exportPath: basename(folder), rules: rulesOf(settings) };
}

/** How the exports of a root are read. */
export function rulesOf(watch: WatchSettings): IntakeRules {
  const { profile, clockOffsetSeconds, timeZone } = watch;
  return { watch: { profile, clockOffsetSeconds, timeZone: timeZone ?? systemZone() } };
}

const systemZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function defaultWatch(path: string): WatchSettings {
  const [watch] = settingsSchema.parse({ watch: [{ path }] }).watch;
  if (watch === undefined) throw new Error('A watch was given and not read');
  return watch;
}
