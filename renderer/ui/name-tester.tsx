import type { DayOrder } from '../../shared/domain/naming-settings.ts';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NameReading } from '../../shared/ipc/calls/settings.ts';
import { useRead } from '../queries/use-call.ts';
import { fact, Facts } from './facts.tsx';
import { TextField } from './fields.tsx';
import { SafeName } from './safe-name.tsx';
import { FailurePanel } from './states.tsx';
import { TimeText } from './time-text.tsx';
import styles from './ui.module.css';

/** How the names of a folder are read. */
export interface NameRules {
  readonly profile: string;
  readonly timeZone?: string | undefined;
  readonly clockOffsetSeconds: number;
  readonly dateOrder?: DayOrder | undefined;
}

/** Most parts of a path that any system's shape looks at. */
const NEAR_PARTS = 8;
/** Longest path that is tried, characters. */
const MAX_PATH_LENGTH = 1000;

/** Shows at once what the agent reads out of a pasted file name by these rules. */
export function NameTester({ rules }: { readonly rules: NameRules }): ReactNode {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  // Folders say as much as names; of a whole path that was pasted, those near the file
  const parts = name
    .trim()
    .split(/[\\/]/)
    .filter((part) => part !== '');
  const file = parts.slice(-NEAR_PARTS).join('/');
  return (
    <div className={styles['tester']}>
      <TextField
        label={t('names.label')}
        description={t('names.help')}
        value={name}
        onChange={setName}
        maxLength={1000}
        isCode
      />
      {file === '' ? null : <Answer name={file} rules={rules} />}
    </div>
  );
}

function Answer({ name, rules }: { readonly name: string; readonly rules: NameRules }): ReactNode {
  const { t } = useTranslation();
  const { profile, timeZone, clockOffsetSeconds, dateOrder } = rules;
  const { data, error } = useRead('names.try', {
    name: name.slice(0, MAX_PATH_LENGTH),
    profile,
    clockOffsetSeconds,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(dateOrder === undefined ? {} : { dateOrder }),
  });
  if (error !== null) return <FailurePanel failure={error.failure} />;
  if (data === undefined) return null;
  return (
    <div role="status" aria-live="polite" className={styles['answer']}>
      {data.reading === undefined ? (
        <p className="warning">
          <span aria-hidden>! </span>
          {t('names.nothing')}
        </p>
      ) : (
        <Reading reading={data.reading} />
      )}
    </div>
  );
}

function Reading({ reading }: { readonly reading: NameReading }): ReactNode {
  const { t } = useTranslation();
  const { profile, cameraName, recorder, channel, device, startedAt, endedAt } = reading;
  return (
    <>
      <p>
        <span aria-hidden>✓ </span>
        {t('names.fits', { profile })}
      </p>
      <Facts
        facts={[
          fact(t('names.camera'), cameraName === undefined ? undefined : <SafeName name={cameraName} />),
          fact(t('names.recorder'), recorder),
          fact(t('names.channel'), channel),
          fact(t('names.device'), device),
          fact(t('names.startedAt'), <ReadTime time={startedAt} />),
          fact(t('names.endedAt'), <ReadTime time={endedAt} />),
        ]}
      />
    </>
  );
}

function ReadTime({ time }: { readonly time: NameReading['startedAt'] }): ReactNode {
  const { t } = useTranslation();
  if (time === undefined) return t('names.noTime');
  return (
    <>
      <TimeText value={time.at} both />
      <br />
      {t(`names.confidence.${time.confidence}`)}
      {time.note === undefined ? null : `: ${time.note}`}
    </>
  );
}
