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

/** Date, time and zone; what is no date is shown as it came. */
export function fullTime(value: string, display: TimeDisplay, locale: string): string {
  const timeMs = Date.parse(value);
  if (Number.isNaN(timeMs)) return visibleName(value);
  return `${formatTime(value, display, locale)} ${zoneName(timeMs, display, locale)}`;
}

/** How times are shown on this desk. */
interface TimeForm {
  readonly display: TimeDisplay;
  readonly locale: string;
  readonly now: () => number;
}

/** It is the same until a person changes it. */
export function useTimeForm(): TimeForm {
  const { clock } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  return useMemo(() => ({ display, locale, now: () => clock.now() }), [display, locale, clock]);
}

/**
 * A time in a list: without the year when it is this one, and whole where the pointer rests. Where the heading of the
 * list names the zone (`isZoneKnown`) only a time in another one does: that is how doubled hours are told apart.
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
 * The same without a component: rows come by the hundred while a list is scrolled. One of more characters than a cell of
 * a grid has `room` for takes two lines there, of which the second begins with the hour; styles also learn its zone.
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
      // An element that is taken over by another time would keep its tip
      key={value}
      dateTime={value}
      // Made for the one that is pointed at, and not for all that are scrolled by
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
