import type { ReactNode } from 'react';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { formatTime, zoneName, type TimeDisplay } from '../format/times.ts';
import { useLocale, usePreference } from '../stores/services.ts';

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
