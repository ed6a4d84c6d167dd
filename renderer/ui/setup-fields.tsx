import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import type { KeyState, NameReading } from '../../shared/ipc/calls/settings.ts';
import { useCallMutation, useRead } from '../queries/use-call.ts';
import { useServices } from '../stores/services.ts';
import { Button } from './button.tsx';
import styles from './fields.module.css';
import { TextField } from './fields.tsx';
import { ArrowUp, Folder } from 'lucide-react';
import type { FolderList as Listed } from '../../shared/ipc/calls/incidents.ts';
import { SafeName } from './safe-name.tsx';
import type { DayOrder } from '../../shared/domain/naming-settings.ts';
import { fact, Facts } from './facts.tsx';
import { FailurePanel } from './states.tsx';
import { TimeText } from './time-text.tsx';
import testerStyles from './ui.module.css';

/** A key being typed, and how to store it; afterwards it is nowhere on the page. */
export interface TypedKey {
  readonly key: string;
  readonly setKey: (key: string) => void;
  readonly isEmpty: boolean;
  readonly isStoring: boolean;
  readonly error: string | undefined;
  readonly store: () => void;
}

/** Holds an API key while it is typed, and stores it on request. */
export function useTypedKey(onSet?: (state: KeyState) => void): TypedKey {
  const { t } = useTranslation();
  const { notices } = useServices();
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  const mutation = useCallMutation('settings.setKey', {
    onDone: (state) => {
      setKey('');
      // The mutation would keep the key in memory
      mutation.reset();
      queries.setQueryData(['settings.key', {}], state);
      // Results of checks with the previous key no longer apply
      queries.removeQueries({ queryKey: ['connection.check'] });
      notices.show({ level: 'info', text: t('key.stored') });
      onSet?.(state);
    },
  });
  const failure = mutation.error?.failure;
  return {
    key,
    setKey,
    isEmpty: key.trim() === '',
    isStoring: mutation.isPending,
    error: failure === undefined ? undefined : `${failure.message} ${failure.advice}`,
    store: () => mutation.mutate({ key }),
  };
}

export function KeyInput({ label, typed }: { readonly label: string; readonly typed: TypedKey }): ReactNode {
  const { t } = useTranslation();
  return (
    <TextField
      label={label}
      description={t('key.help')}
      type="password"
      autoComplete="off"
      value={typed.key}
      onChange={typed.setKey}
      error={typed.error}
      isCode
    />
  );
}

/** A form that stores an API key. */
export function KeyField({
  label,
  action,
  onSet,
}: {
  readonly label: string;
  readonly action: string;
  readonly onSet?: (state: KeyState) => void;
}): ReactNode {
  const typed = useTypedKey(onSet);
  return (
    <form
      className={styles['keyForm']}
      // Native validation would block a new key after the previous one was refused
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!typed.isEmpty) typed.store();
      }}
    >
      <KeyInput label={label} typed={typed} />
      <Button type="submit" isDisabled={typed.isEmpty || typed.isStoring}>
        {action}
      </Button>
    </form>
  );
}

/** Where the key is kept, and what protects it there. */
export function KeyPlace({ state }: { readonly state: KeyState }): ReactNode {
  const { t } = useTranslation();
  const { keptIn, keeperName, isGuardedFromPrograms } = state;
  if (keptIn !== 'keyStore') return <p className="dim">{t(`key.kept.${keptIn}`)}</p>;
  const keeper = keeperName ?? t('key.kept.someKeyStore');
  return (
    <p className="dim">
      {t(isGuardedFromPrograms === true ? 'key.kept.keyStoreOfApp' : 'key.kept.keyStore', { keeper })}
    </p>
  );
}

/** Folders on the agent's machine, to browse one level at a time. */
export function FolderList({
  list: { folder, parent, folders, isCut },
  go,
}: {
  readonly list: Listed;
  readonly go: (path: string | undefined) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <ul aria-label={t('common.folders')} className={styles['folders']}>
      {folder === undefined ? null : (
        <li>
          <Button kind="quiet" icon={ArrowUp} onPress={() => go(parent)}>
            {t('common.folderAbove')}
          </Button>
        </li>
      )}
      {folders.map(({ name, path, isReadable }) => (
        <li key={path}>
          <Button kind="quiet" icon={Folder} isDisabled={isReadable === false} onPress={() => go(path)}>
            <SafeName name={name} />
          </Button>
        </li>
      ))}
      {isCut ? <li className="dim">{t('common.moreFolders')}</li> : null}
    </ul>
  );
}

/** The rules for reading the names in a folder. */
interface NameRules {
  readonly profile: string;
  readonly timeZone?: string | undefined;
  readonly clockOffsetSeconds: number;
  readonly dateOrder?: DayOrder | undefined;
}

/** The most trailing path components that any system's pattern uses. */
const NEAR_PARTS = 8;
/** Longest path that can be tried, characters. */
const MAX_PATH_LENGTH = 1000;

/** Shows what the agent reads from a pasted file name by these rules, as soon as it is pasted. */
export function NameTester({ rules }: { readonly rules: NameRules }): ReactNode {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  // Folder names matter as much as file names; of a long pasted path, those nearest the file
  const parts = name
    .trim()
    .split(/[\\/]/)
    .filter((part) => part !== '');
  const file = parts.slice(-NEAR_PARTS).join('/');
  return (
    <div className={testerStyles['tester']}>
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
    <div role="status" aria-live="polite" className={testerStyles['answer']}>
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
