import { getLocalTimeZone, parseAbsolute, type ZonedDateTime } from '@internationalized/date';
import { Printer } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { DateField, DateInput, DateSegment, Label } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { zoneName } from '../../format/format.ts';
import { useRead } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/preferences.ts';
import { useCommand, useLocale, usePreference, useNow } from '../../stores/services.ts';
import { Button, CopyButton } from '../../ui/button.tsx';
import fields from '../../ui/fields.module.css';
import { FilterTabs } from '../../ui/select-field.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Loaded } from '../../ui/states.tsx';
import { HandoverSheet } from './handover-sheet.tsx';
import { handoverText, spans } from './handover-text.ts';
import styles from './handover.module.css';

/** The screen's search parameters: a start time, or a number of hours back. */
const handoverSearchSchema = z.object({
  hours: z.union([z.literal(8), z.literal(12), z.literal(24)]).catch(8),
  since: z.iso.datetime().optional().catch(undefined),
});

/** The start of the span advances in steps of this size, milliseconds. */
const STEP_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A shift handover: on screen, on paper, or as text. */
export function HandoverScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(handoverSearchSchema);
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  const minuteMs = Math.floor(useNow() / STEP_MS) * STEP_MS;
  const since = search.since ?? new Date(minuteMs - search.hours * HOUR_MS).toISOString();
  const read = useRead('uploads.handover', { since });
  useLightOnPaper();
  useCommand('handover.print', () => window.print(), read.data !== undefined);
  return (
    <Screen
      title={t('handover.title')}
      work="page"
      filters={
        <>
          <FilterTabs
            label={t('handover.span')}
            value={search.since === undefined ? String(search.hours) : ''}
            filters={spans.map((hours) => ({ id: String(hours), label: t(`handover.spans.${hours}`) }))}
            onChange={(id) =>
              change({ hours: spans.find((hours) => String(hours) === id) ?? 8, since: undefined })
            }
          />
          <DateField<ZonedDateTime>
            className={styles['since'] ?? ''}
            value={parseAbsolute(since, display === 'utc' ? 'UTC' : getLocalTimeZone())}
            onChange={(moment) => moment !== null && change({ since: moment.toDate().toISOString() })}
            granularity="minute"
            hourCycle={24}
            hideTimeZone
            shouldForceLeadingZeros
          >
            <Label>{t('handover.sinceIn', { zone: zoneName(Date.parse(since), display, locale) })}</Label>
            <DateInput className={`${fields['input'] ?? ''} segments ltr`}>
              {(segment) => <DateSegment segment={segment} className="segment" />}
            </DateInput>
          </DateField>
        </>
      }
      actions={
        <>
          {read.data === undefined ? null : (
            <CopyButton text={handoverText(read.data, t, { display, locale })} label={t('common.copyText')} />
          )}
          <Button
            kind="primary"
            icon={Printer}
            command="handover.print"
            isDisabled={read.data === undefined}
            onPress={() => window.print()}
          >
            {t('handover.print')}
          </Button>
        </>
      }
    >
      <Loaded read={read} title={t('handover.failedToRead')}>
        {(handover) => <HandoverSheet handover={handover} />}
      </Loaded>
    </Screen>
  );
}

/** Prints with the light theme, whichever theme the screen uses. */
function useLightOnPaper(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let before: string | undefined;
    const lighten = (): void => {
      before = dataset['theme'];
      dataset['theme'] = 'light';
    };
    const restore = (): void => {
      if (before !== undefined) dataset['theme'] = before;
      before = undefined;
    };
    addEventListener('beforeprint', lighten);
    addEventListener('afterprint', restore);
    return () => {
      restore();
      removeEventListener('beforeprint', lighten);
      removeEventListener('afterprint', restore);
    };
  }, []);
}
