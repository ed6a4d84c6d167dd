import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { NameReading, PatternSample } from '../../../shared/ipc/calls/settings.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { compilePattern, type OwnPattern } from '../core/naming/own-patterns.ts';
import {
  type ClipNameReading,
  type ClipNameRules,
  isProfileName,
  type NameTime,
  readClipName,
} from '../core/naming/read-clip-name.ts';
import { recognisers, noSiteRules, type SiteRules } from '../core/naming/recognisers.ts';
import { formatLocal, isTimeZone } from '../core/times/zoned-time.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import type { ReadDb } from '../store/open-db.ts';
import { createRecentPaths, createUnnamedCameras, type RecentPath } from '../store/status-reads.ts';
import { systemZone } from '../system-clock.ts';
import type { Calls } from './call.ts';

/** Paths read before other work gets its turn: a few milliseconds. */
const PATHS_PER_TURN = 25;
/** Most examples shown of paths that would be read differently. */
const MOST_EXAMPLES = 5;

interface Deps {
  readonly db: Pick<ReadDb, 'prepare'>;
  readonly config: Pick<AgentConfig, 'settings'>;
  readonly site?: SiteRules;
}

/** Tests how file names are read, with rules that need not be saved. */
export function createNameCalls({
  db,
  config,
  site = noSiteRules,
}: Deps): Calls<'names.profiles' | 'names.try' | 'names.preview' | 'cameras.unnamed'> {
  return {
    'names.profiles': {
      handle() {
        const own = config.settings.patterns.map(({ name }) => name);
        return ok({ profiles: [...own, ...recognisers.map(({ name }) => name)] });
      },
    },
    'names.try': {
      handle({ name, profile, timeZone: zone, folder = '', ...rules }) {
        const patterns = site.patternsFor(folder);
        const timeZone = zone ?? systemZone();
        if (!isTimeZone(timeZone)) return err(refused('timeZone', 'is not a known time zone'));
        const isOwn = config.settings.patterns.some((pattern) => pattern.name === profile);
        if (!isOwn && !isProfileName(profile))
          return err(refused('profile', 'is not a known naming pattern'));
        const reading = readClipName(name, { ...rules, profile, timeZone, patterns });
        return ok(reading === undefined || reading.tied ? {} : { reading: toReading(reading) });
      },
    },
    'cameras.unnamed': {
      handle: () => {
        const rows = createUnnamedCameras(db)();
        return ok({
          cameras: rows.map(({ cameraName, cameraId, clips }) => ({
            cameraId,
            clips,
            ...(cameraName !== null && { cameraName }),
          })),
        });
      },
    },
    'names.preview': {
      async handle({ pattern, watch }, signal) {
        const { path: folder, profile, clockOffsetSeconds } = watch;
        const timeZone = watch.timeZone ?? systemZone();
        if (!isTimeZone(timeZone)) return err(refused('timeZone', 'is not a known time zone'));
        const compiled = compilePattern(pattern);
        if (!compiled.ok)
          return ok({ problem: compiled.error, samples: [], looked: 0, different: 0, examples: [] });
        const before = site.patternsFor(folder);
        const others = before.filter(({ recogniser }) => recogniser.name !== pattern.name);
        const rules = { profile, timeZone, clockOffsetSeconds, patterns: [compiled.value, ...others] };
        const samples = pattern.samples.map((sample) => previewSample(sample, compiled.value, rules));
        const recent = createRecentPaths(db)(folder);
        const examples = await differing(recent, { ...rules, patterns: before }, rules, signal);
        const different = examples.length;
        return ok({ samples, looked: recent.length, different, examples: examples.slice(0, MOST_EXAMPLES) });
      },
    },
  };
}

/** A sample as the pattern reads it, with its time in local time. */
function previewSample(name: string, pattern: OwnPattern, rules: ClipNameRules): PatternSample {
  const path = name.replaceAll('\\', '/');
  const parts = pattern.parts(path);
  if (parts === undefined) return { name, parts: [], fits: 'no' };
  const reading = readClipName(path, { ...rules, profile: 'auto', patterns: [pattern] });
  if (reading?.profile !== pattern.recogniser.name) return { name, parts, fits: 'no-time' };
  const local = reading.startedAt && formatLocal(reading.startedAt.value, pattern.timeZone ?? rules.timeZone);
  return { name, parts, fits: 'yes', reading: toReading(reading), ...(local !== undefined && { local }) };
}

/** Paths that two sets of rules read differently. Yields regularly so that nothing else has to wait. */
async function differing(
  recent: readonly RecentPath[],
  before: ClipNameRules,
  after: ClipNameRules,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, { path, exportPath }] of recent.entries()) {
    if (index % PATHS_PER_TURN === 0) await nextTurn();
    signal.throwIfAborted();
    const [one, other] = [before, after].map((rules) => readClipName(path, rules, exportPath));
    if (saysOf(one) !== saysOf(other)) found.push(`${exportPath}/${path}`);
  }
  return found;
}

/** The values that would change; confidence does not count. */
function saysOf(reading: ClipNameReading | undefined): string {
  const { cameraName, channel, device, startedAt, endedAt } = reading ?? {};
  return JSON.stringify([cameraName, channel, device, startedAt?.value, endedAt?.value]);
}

function toReading({ startedAt, endedAt, ...reading }: ClipNameReading): NameReading {
  const { profile, cameraName, recorder, channel, device } = reading;
  return {
    profile,
    ...knownFields<Omit<NameReading, 'profile'>>({
      cameraName,
      recorder,
      channel,
      device,
      startedAt: startedAt && toTime(startedAt),
      endedAt: endedAt && toTime(endedAt),
    }),
  };
}

function toTime({ value, confidence, note }: NameTime): NonNullable<NameReading['startedAt']> {
  return { at: new Date(value).toISOString(), confidence, ...(note !== undefined && { note }) };
}

const refused = (field: string, text: string): Failure => ({
  code: 'CONFIG_RANGE',
  message: `This ${text}.`,
  advice: 'Choose one from the list.',
  retryable: false,
  fields: [{ name: field, text }],
});
