import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Health } from '../../shared/domain/health.ts';
import { formatDuration } from '../../shared/lib/duration.ts';
import { useRead } from '../queries/use-call.ts';
import { useNow } from '../stores/use-now.ts';
import { ShortTime } from '../ui/time-text.tsx';

/** What stays where it is until a person does something, and what has not come in wholly yet. */
export function Attention({ health: { exports, queue, leaving } }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const exportsWait = exports.held + exports.missing + exports.unrecognised;
  const arriving = exports.reading + exports.writing + exports.settling;
  return (
    <>
      {exportsWait === 0 ? null : (
        <strong>
          !{' '}
          <Link to="/uploads" search={{ state: 'held' }}>
            {t('frame.exportsWait', { count: exportsWait })}
          </Link>
        </strong>
      )}
      {queue.failed === 0 ? null : (
        <strong>
          ✕{' '}
          <Link to="/uploads" search={{ state: 'failed' }}>
            {t('frame.failed', { count: queue.failed })}
          </Link>
        </strong>
      )}
      {queue.refused === 0 ? null : <strong>✕ {t('frame.refused', { count: queue.refused })}</strong>}
      {leaving === undefined ? null : <Leaving {...leaving} />}
      {arriving === 0 ? null : <Arriving count={arriving} />}
    </>
  );
}

/** What the recorder will delete before its turn: it goes first, and Health has the figures. */
function Leaving({ incidents, firstGoneAt }: NonNullable<Health['leaving']>): ReactNode {
  return (
    <strong>
      !{' '}
      <Link to="/health">
        <Trans
          i18nKey="frame.leaving"
          count={incidents}
          components={{ time: <ShortTime value={firstGoneAt} isZoneKnown /> }}
        />
      </Link>
    </strong>
  );
}

/** Exports that are looked at before the wait of all of them is known. */
const LOOKED_AT = 50;

/** Exports on their way; while they only wait for the recorder, how long the next one still has to. */
function Arriving({ count }: { readonly count: number }): ReactNode {
  const { t } = useTranslation();
  const nowMs = useNow();
  const { data } = useRead('uploads.listExports', { offset: 0, limit: LOOKED_AT });
  const ends = data?.rows.flatMap(({ state, settlesAt }) =>
    state === 'settling' && settlesAt !== undefined ? [Date.parse(settlesAt)] : [],
  );
  const leftMs = Math.min(...(ends ?? [])) - nowMs;
  if (ends?.length !== count || !(leftMs > 0)) return <span>{t('frame.arriving', { count })}</span>;
  return <span>{t('frame.recorder', { count, time: formatDuration(leftMs) })}</span>;
}
