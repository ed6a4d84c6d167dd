import type { UseQueryResult } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FailureError, Failure } from '../../shared/domain/failure.ts';
import { Button, CopyButton } from './button.tsx';
import styles from './ui.module.css';
import type { ClipState, IncidentState } from '../../shared/domain/upload-view.ts';
import type { SeenState } from '../../shared/domain/seen-export.ts';
import { formatShare } from '../format/format.ts';
import { useLocale } from '../stores/services.ts';

/** Says that there is nothing here, and how to change that. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}): ReactNode {
  return (
    <div className={styles['state']}>
      <h2>{title}</h2>
      {children}
      {action}
    </div>
  );
}

export function LoadingState(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles['state']} role="status">
      {t('common.loading')}
    </div>
  );
}

/** Shows data, a loading state, or why reading failed. */
export function Loaded<Data>({
  read: { data, error, refetch },
  title,
  children,
}: {
  readonly read: Pick<UseQueryResult<Data, FailureError>, 'data' | 'error' | 'refetch'>;
  readonly title?: string;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const failure =
    error === null ? null : (
      <FailurePanel failure={error.failure} title={title} onRetry={() => void refetch()} />
    );
  if (data === undefined) return failure ?? <LoadingState />;
  // Earlier data stays visible, so that nothing being typed there is lost
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}

/** Text of the agent: it is in English, whatever language the pages are in. */
export function AgentText({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <span lang="en" dir="auto">
      {children}
    </span>
  );
}

/**
 * What went wrong, whether trying again helps, and what to do; nothing without a failure. `isAlert`: it follows a
 * user's action, and is announced as soon as it appears.
 */
export function FailurePanel({
  failure,
  title,
  onRetry,
  isAlert = false,
}: {
  readonly failure: Failure | undefined;
  readonly title?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
  readonly isAlert?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  if (failure === undefined) return null;
  return (
    <section
      role={isAlert ? 'alert' : undefined}
      className={styles['failure']}
      aria-label={title ?? t('common.failure')}
    >
      {title === undefined ? null : (
        <h3>
          <span aria-hidden>✕ </span>
          {title}
        </h3>
      )}
      {/* The agent's messages are in English */}
      <p lang="en" dir="auto">
        {failure.message}
      </p>
      <p lang="en" dir="auto">
        {failure.advice}
      </p>
      <p className={styles['code']}>
        <code>{failure.code}</code>
        {failure.retryable ? ` · ${t('common.mayHelp')}` : ` · ${t('common.wontHelp')}`}
      </p>
      <div className="buttons">
        {onRetry === undefined ? null : <Button onPress={onRetry}>{t('common.tryAgain')}</Button>}
        <CopyButton text={failureDetails(failure)} label={t('common.copyError')} />
      </div>
    </section>
  );
}

/** A failure as a block of text for support: everything that is known, without secrets. */
export function failureDetails({
  code,
  message,
  advice,
  status,
  detail,
  fields,
  requestIds,
}: Failure): string {
  const lines = [
    `${code}: ${message}`,
    advice,
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(fields ?? []).map(({ name, text }) => `${name}: ${text}`),
    ...(requestIds ?? []).map(({ name, value }) => `${name}: ${value}`),
    ...(detail === undefined || detail === '' ? [] : [detail]),
  ];
  return lines.join('\n');
}

/** `exporting`: still being written, and already being sent. */
type State = ClipState | IncidentState | SeenState | 'exporting';

const glyphs: Readonly<Record<State, string>> = {
  waiting: '○',
  uploading: '▲',
  paused: '❚❚',
  uploaded: '✓',
  sent: '✓',
  failed: '✕',
  leftOut: '–',
  attention: '✕',
  held: '!',
  unrecognised: '!',
  missing: '!',
  onHold: '❚❚',
  ignored: '○',
  reading: '▽',
  writing: '▽',
  exporting: '▲',
  settling: '○',
  copy: '○',
};

/**
 * The state of a clip, incident or export as glyph, word and colour. Sent items are quiet; colour marks what is
 * abnormal.
 */
export function StateMark({ state }: { readonly state: State }): ReactNode {
  const { t } = useTranslation();
  return stateMark(t, state);
}

/** `StateMark` without a component: scrolling a list renders rows by the hundred. */
export const stateMark = (t: TFunction, state: State): ReactNode => (
  <span className={styles['mark']} data-state={state}>
    <span aria-hidden className={styles['glyph']}>
      {glyphs[state]}
    </span>
    {t(`state.${state}`)}
  </span>
);

/** Progress as a bar and a percentage. */
export function ProgressBar({ label, share }: { readonly label: string; readonly share: number }): ReactNode {
  const locale = useLocale();
  const bounded = Math.min(1, Math.max(0, share));
  return (
    <span className={styles['progress']}>
      <span
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(bounded * 100)}
        className={styles['track']}
      >
        <span className={styles['done']} style={{ inlineSize: `${bounded * 100}%` }} />
      </span>
      <span className={`${styles['percent'] ?? ''} ltr`}>{formatShare(bounded, locale)}</span>
    </span>
  );
}
