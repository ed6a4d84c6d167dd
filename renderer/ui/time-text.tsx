import type { ReactNode } from 'react';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { formatShortTime, formatTime, zoneName, type TimeDisplay } from '../format/times.ts';
import { useLocale, usePreference, useServices } from '../stores/services.ts';

/** A time as this desk shows it, with its zone; `both` adds the other one below. Times read from left to right. */
export function TimeText({
  value,
  both = false,
}: {
  readonly value: string | undefined;
  readonly both?: boolean;
}): ReactNode {
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  if (value === undefined) return null;
  const show = (as: TimeDisplay): string => fullTime(value, as, locale);
  const other = display === 'utc' ? 'local' : 'utc';
  return (
    <time dateTime={value} className="ltr">
      {show(display)}
      {both ? (
        <>
          <br />
          <span className="dim">{show(other)}</span>
        </>
      ) : null}
    </time>
  );
}

/** Date, time and zone; what is no date is shown as it came. */
export function fullTime(value: string, display: TimeDisplay, locale: string): string {
  const timeMs = Date.parse(value);
  if (Number.isNaN(timeMs)) return visibleName(value);
  return `${formatTime(value, display, locale)} ${zoneName(timeMs, display, locale)}`;
}

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
