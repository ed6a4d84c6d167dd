import type { Failure } from '../../../shared/domain/failure.ts';
import type { NameReading } from '../../../shared/ipc/calls/settings.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { clipNameProfiles } from '../core/naming/clip-name-profiles.ts';
import {
  type ClipNameReading,
  isProfileName,
  type NameTime,
  readClipName,
} from '../core/naming/read-clip-name.ts';
import { isTimeZone } from '../core/times/zoned-time.ts';
import type { Calls } from './call.ts';

/** Tries how file names are read, with rules that need not be saved. */
export function createNameCalls(): Calls<'names.profiles' | 'names.try'> {
  return {
    'names.profiles': { handle: () => ok({ profiles: clipNameProfiles.map(({ name }) => name) }) },
    'names.try': {
      handle({ name, profile, timeZone: zone, clockOffsetSeconds }) {
        const timeZone = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
        if (!isTimeZone(timeZone)) return err(refused('timeZone', 'is not a known time zone'));
        if (!isProfileName(profile)) return err(refused('profile', 'is not a known way of naming clips'));
        const reading = readClipName(name, { profile, timeZone, clockOffsetSeconds });
        return ok(reading === undefined ? {} : { reading: toReading(reading) });
      },
    },
  };
}

function toReading({ startedAt, endedAt, ...reading }: ClipNameReading): NameReading {
  const { profile, cameraName, recorder, channel } = reading;
  return {
    profile,
    ...knownFields<Omit<NameReading, 'profile'>>({
      cameraName,
      recorder,
      channel,
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
  message: `The ${field === 'timeZone' ? 'time zone' : 'profile'} ${text}.`,
  advice: 'Choose one from the list.',
  retryable: false,
  fields: [{ name: field, text }],
});
