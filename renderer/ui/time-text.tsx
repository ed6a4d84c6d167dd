import type { ReactNode } from 'react';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { formatShortTime, formatTime, zoneName, type TimeDisplay } from '../format/format.ts';
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

/**
 * A time in a list: without the year when it is this one, and whole where the pointer rests. Where the heading of the
 * list names the zone (`isZoneKnown`) only a time in another one does: that is how doubled hours are told apart.
 */
export function ShortTime({
  value,
  isZoneKnown = false,
}: {
  readonly value: string | undefined;
  readonly isZoneKnown?: boolean;
}): ReactNode {
  const { clock } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  if (value === undefined) return null;
  return (
    <time dateTime={value} title={fullTime(value, display, locale)} className="ltr">
      {shortTime(value, { nowMs: clock.now(), display, locale, isZoneKnown })}
    </time>
  );
}

/** The words of `ShortTime`. */
export function shortTime(
  value: string,
  {
    nowMs,
    display,
    locale,
    isZoneKnown,
  }: {
    readonly nowMs: number;
    readonly display: TimeDisplay;
    readonly locale: string;
    readonly isZoneKnown: boolean;
  },
): string {
  const timeMs = Date.parse(value);
  const ownZone = Number.isNaN(timeMs) ? '' : zoneName(timeMs, display, locale);
  const zone = isZoneKnown && ownZone === zoneName(nowMs, display, locale) ? '' : ownZone;
  return `${formatShortTime(value, nowMs, display, locale)} ${zone}`.trimEnd();
}
