import { useMemo, type ReactNode } from 'react';
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

/** Date, time and zone; a text that is not a date is shown as it is. */
export function fullTime(value: string, display: TimeDisplay, locale: string): string {
  const timeMs = Date.parse(value);
  if (Number.isNaN(timeMs)) return visibleName(value);
  return `${formatTime(value, display, locale)} ${zoneName(timeMs, display, locale)}`;
}

/** How this desk shows times. */
interface TimeForm {
  readonly display: TimeDisplay;
  readonly locale: string;
  readonly now: () => number;
}

/** The time settings; the same object until a setting changes. */
export function useTimeForm(): TimeForm {
  const { clock } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  return useMemo(() => ({ display, locale, now: () => clock.now() }), [display, locale, clock]);
}

/**
 * A time in a list: without the current year, and complete on hover. If the list's heading names the zone
 * (`isZoneKnown`), only times in another zone show theirs: this tells repeated hours apart when clocks go back.
 */
export function ShortTime({
  value,
  isZoneKnown = false,
  room,
}: {
  readonly value: string | undefined;
  readonly isZoneKnown?: boolean;
  readonly room?: number;
}): ReactNode {
  return timeInList(value, useTimeForm(), isZoneKnown, room);
}

/**
 * `ShortTime` without a component: scrolling a list renders rows by the hundred. A time longer than `room` characters
 * takes two lines in a grid cell, the second beginning with the hour; its zone is also passed to the styles.
 */
export function timeInList(
  value: string | undefined,
  form: TimeForm,
  isZoneKnown: boolean,
  room = Infinity,
): ReactNode {
  if (value === undefined) return null;
  const { display, locale } = form;
  const nowMs = form.now();
  const timeMs = Date.parse(value);
  const ownZone = Number.isNaN(timeMs) ? '' : zoneName(timeMs, display, locale);
  const zone = isZoneKnown && ownZone === zoneName(nowMs, display, locale) ? '' : ownZone;
  const text = `${formatShortTime(value, nowMs, display, locale)} ${zone}`.trimEnd();
  return (
    <time
      // An element reused for another time would keep its tooltip
      key={value}
      dateTime={value}
      // Computed on hover only, not for every row scrolled past
      onPointerOver={({ currentTarget }) => {
        currentTarget.title = fullTime(value, display, locale);
      }}
      className="ltr"
      data-long={ownZone !== '' && text.length > room ? zone : undefined}
    >
      {text.replaceAll(/ (?!\d\d:)/g, '\u00a0')}
    </time>
  );
}
