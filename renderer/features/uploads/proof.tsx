import { FileCheck, ShieldCheck } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipProof } from '../../../shared/ipc/calls/proof.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './uploads.module.css';

/** The proof of a clip: its hashes, its receipt, what is missing, and a check of the file as it is now. */
export function ClipProofPanel({ clipId }: { readonly clipId: string }): ReactNode {
  const { t } = useTranslation();
  const headingId = useId();
  const { data, error, refetch } = useRead('proof.ofClip', { clipId });
  const check = useCallMutation('proof.checkFile');
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <section aria-labelledby={headingId} className={styles['history']}>
      <h3 id={headingId}>{t('uploads.proof.title')}</h3>
      <ProofFacts proof={data} />
      <Sentences items={data.missing} />
      <div className="buttons">
        <Button icon={FileCheck} isDisabled={check.isPending} onPress={() => check.mutate({ clipId })}>
          {t(check.isPending ? 'uploads.proof.checking' : 'uploads.proof.check')}
        </Button>
      </div>
      {check.error === null ? null : <FailurePanel failure={check.error.failure} isAlert />}
      <p role="status">
        {check.data === undefined ? '' : t(`uploads.proof.${verdictOf(check.data.isSame)}`)}
      </p>
    </section>
  );
}

const verdictOf = (isSame: boolean | undefined) =>
  isSame === undefined ? 'nothingToCompare' : isSame ? 'same' : 'differs';

function ProofFacts({ proof }: { readonly proof: ClipProof }): ReactNode {
  const { t } = useTranslation();
  const { receipt, found, stated } = proof;
  const sum = (text: string | null): ReactNode => text && <code className="ltr">{text}</code>;
  return (
    <Facts
      facts={[
        fact(t('uploads.proof.found'), sum(found)),
        fact(t('uploads.proof.sent'), sum(proof.sent)),
        fact(t('uploads.proof.stated'), sum(stated)),
        fact(t('uploads.proof.receiptAt'), receipt && <TimeText value={receipt.at} both />),
        fact(t('uploads.proof.account'), receipt && visibleName(receipt.account)),
        fact(t('uploads.proof.row'), receipt && t('uploads.proof.rowOfChain', { row: receipt.row })),
        fact(t('uploads.proof.etags'), receipt?.etags === 0 ? undefined : receipt?.etags),
        fact(
          t('uploads.proof.requestIds'),
          receipt && <span className="ltr">{visibleName(receipt.requestIds.join(', '))}</span>,
        ),
        fact(
          t('uploads.proof.changes'),
          proof.changes.length === 0 ? undefined : <Changes changes={proof.changes} />,
        ),
      ]}
    />
  );
}

function Changes({ changes }: { readonly changes: ClipProof['changes'] }): ReactNode {
  return (
    <ul>
      {changes.map(({ at, what, account }) => (
        <li key={`${at} ${what}`}>
          <TimeText value={at} /> {visibleName(what)} ({visibleName(account)})
        </li>
      ))}
    </ul>
  );
}

/** What an incident's proof still lacks, its custody packs, and a button to make another. */
export function IncidentProofPanel({ incidentId }: { readonly incidentId: string }): ReactNode {
  const { t } = useTranslation();
  const headingId = useId();
  const { data, error, refetch } = useRead('proof.ofIncident', { incidentId });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const last = data.packs.at(-1);
  return (
    <section aria-labelledby={headingId} className={styles['history']}>
      <h3 id={headingId}>{t('uploads.proof.title')}</h3>
      <Sentences items={data.missing} />
      <Facts
        facts={[
          fact(
            t('uploads.proof.lastPack'),
            last === undefined ? t('uploads.proof.noPack') : <TimeText value={last.at} />,
          ),
          fact(t('uploads.proof.packSum'), last && <code className="ltr">{last.manifestSha256}</code>),
        ]}
      />
      <div className="buttons">
        <SavePacks incidentIds={[incidentId]} onSaved={() => void refetch()} />
      </div>
    </section>
  );
}

/** Saves a custody pack for each incident, and says where. */
export function SavePacks({
  incidentIds,
  onSaved,
}: {
  readonly incidentIds: readonly string[];
  readonly onSaved?: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const save = useCallMutation('proof.savePacks', {
    onDone: ({ packs }) => {
      const folder = visibleName(packs.map((pack) => pack.folder).join(', '));
      notices.show({ level: 'info', text: t('uploads.proof.saved', { folder, count: packs.length }) });
      onSaved?.();
    },
    onFailed: notices.failed,
  });
  return (
    <Button icon={ShieldCheck} isDisabled={save.isPending} onPress={() => save.mutate({ incidentIds })}>
      {save.isPending ? t('uploads.proof.saving') : t('uploads.proof.save', { count: incidentIds.length })}
    </Button>
  );
}

function Sentences({ items }: { readonly items: readonly string[] }): ReactNode {
  const { t } = useTranslation();
  if (items.length === 0) return <p>{t('uploads.proof.complete')}</p>;
  return (
    <>
      <p>{t('uploads.proof.missing')}</p>
      {/* The agent's messages are in English */}
      <ul lang="en">
        {items.map((item) => (
          <li key={item}>{visibleName(item)}</li>
        ))}
      </ul>
    </>
  );
}
