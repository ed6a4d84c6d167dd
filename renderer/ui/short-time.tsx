import type { ReactNode } from 'react';
import { formatShortTime, zoneName } from '../format/times.ts';
import { useLocale, usePreference, useServices } from '../stores/services.ts';
import { fullTime } from './time-text.tsx';

/** A time in a list: without the year when it is this one, and whole where the pointer rests. */
export function ShortTime({ value }: { readonly value: string | undefined }): ReactNode {
  const { clock } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  if (value === undefined) return null;
  const timeMs = Date.parse(value);
  const zone = Number.isNaN(timeMs) ? '' : zoneName(timeMs, display, locale);
  return (
    <time dateTime={value} title={fullTime(value, display, locale)} className="ltr">
      {formatShortTime(value, clock.now(), display, locale)} {zone}
    </time>
  );
}
