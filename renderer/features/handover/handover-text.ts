import type { TFunction } from 'i18next';
import type { Handover } from '../../../shared/ipc/calls/uploads.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { fullTime } from '../../ui/time-text.tsx';
import type { TimeDisplay } from '../../format/format.ts';

/** Hours that a handover can cover. */
export const spans = [8, 12, 24] as const;

/** The time as this desk shows it, with the other form in brackets. */
export function bothTimes(iso: string, display: TimeDisplay, locale: string): string {
  const own = fullTime(iso, display, locale);
  const other = fullTime(iso, display === 'utc' ? 'local' : 'utc', locale);
  return own === other ? own : `${own} (${other})`;
}

/** The figures of a handover, with their labels. */
export function summaryOf(handover: Handover, t: TFunction): readonly (readonly [string, string])[] {
  const { arrived, sent, failed, waiting } = handover;
  const counted = (words: string, count: number): readonly string[] =>
    count === 0 ? [] : [t(`handover.${words}`, { count })];
  const clips = ({ clips: count, bytes }: Handover['sent']): readonly string[] =>
    count === 0 ? [] : [...counted('clips', count), formatBytes(bytes)];
  const failures = [
    ...counted('clips', failed.clips),
    ...counted('records', failed.records),
    ...counted('leftOut', failed.leftOut),
  ];
  const line = (words: string, parts: readonly string[]) =>
    [t(`handover.${words}`), parts.length === 0 ? t('handover.none') : parts.join(' · ')] as const;
  return [
    line('arrived', counted('incidents', arrived.incidents)),
    line('sent', clips(sent)),
    line('failed', failures),
    line('waiting', clips(waiting)),
  ];
}

/** How many clips of an incident were sent, and of how many. */
export function sentOf(
  { uploaded, failed, leftOut, pending }: Handover['arrived']['rows'][number],
  t: TFunction,
): string {
  return t('handover.sentOf', { uploaded, total: uploaded + failed + leftOut + pending });
}

/** The whole handover as text, for a message or a logbook. */
export function handoverText(
  handover: Handover,
  t: TFunction,
  { display, locale }: { readonly display: TimeDisplay; readonly locale: string },
): string {
  const time = (iso: string): string => bothTimes(iso, display, locale);
  const { failed, exports, waiting, arrived } = handover;
  const section = (
    heading: string,
    lines: readonly string[],
    total: number,
    none: string,
  ): readonly string[] => {
    const more = total > lines.length ? [t('handover.more', { count: total - lines.length })] : [];
    return ['', heading, ...(lines.length === 0 ? [none] : [...lines, ...more].map((line) => `- ${line}`))];
  };
  const progress = (row: Handover['arrived']['rows'][number]) =>
    `${visibleName(row.title)} · ${t(`state.${row.state}`)} · ${t('handover.progress')}: ${sentOf(row, t)}`;
  return [
    t('handover.heading'),
    `${t('handover.from')}: ${time(handover.since)}`,
    `${t('handover.to')}: ${time(handover.at)}`,
    '',
    ...summaryOf(handover, t).map(([name, value]) => `${name}: ${value}`),
    ...section(
      t('handover.failedHeading'),
      failed.rows.map(({ title, file, failure, failedAt }) =>
        [
          visibleName(title),
          visibleName(file ?? t('handover.record')),
          ...(failure === undefined ? [] : [`${failure.message} ${failure.advice}`]),
          ...(failedAt === undefined ? [] : [time(failedAt)]),
        ].join(' · '),
      ),
      failed.clips + failed.records,
      t('handover.failedNone'),
    ),
    ...section(
      t('handover.exportsHeading'),
      exports.rows.map(({ name, folder, state, message, advice }) =>
        [visibleName(name === '' ? folder : name), t(`state.${state}`), `${message} ${advice}`].join(' · '),
      ),
      exports.total,
      t('handover.exportsNone'),
    ),
    ...section(
      t('handover.waitingHeading'),
      waiting.rows.map(progress),
      waiting.incidents,
      t('handover.waitingNone'),
    ),
    ...section(
      t('handover.arrivedHeading'),
      arrived.rows.map(progress),
      arrived.incidents,
      t('handover.arrivedNone'),
    ),
    '',
  ].join('\n');
}
