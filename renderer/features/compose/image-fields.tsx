import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { imageTypes, type ImageCheck } from '../../../shared/domain/chat-message.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { useAsk } from '../../queries/use-call.ts';
import type { Draft } from '../../stores/draft.ts';
import { useServices } from '../../stores/services.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './compose.module.css';

/** An address is looked at when nothing was typed for this long, milliseconds. */
const CHECK_AFTER_MS = 800;

/** The image of the notification, and what a look at it showed. */
export function ImageFields({
  draft,
  problem,
}: {
  readonly draft: Draft;
  readonly problem: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const { set } = useServices().draft.getState();
  return (
    <>
      <div className={styles['image']}>
        <TextField
          label={t('compose.image')}
          description={t('compose.imageHelp')}
          value={draft.imageUrl}
          onChange={(imageUrl) => set({ imageUrl })}
          error={problem === undefined ? undefined : t(problem)}
          isCode
        />
        <SelectField
          label={t('compose.imageType')}
          value={draft.imageType}
          choices={imageTypes.map((id) => ({ id, label: id }))}
          onChange={(imageType) => set({ imageType })}
        />
      </div>
      <ImageState draft={draft} />
    </>
  );
}

function ImageState({ draft: { imageUrl, imageType } }: { readonly draft: Draft }): ReactNode {
  const { t } = useTranslation();
  const ask = useAsk();
  const url = imageUrl.trim();
  const isWorthIt = url.startsWith('https://') && URL.canParse(url);
  const { mutate, data, isPending, reset } = useMutation({
    mutationFn: () => ask('messages.checkImage', { image: { url, type: imageType } }),
  });
  const look = useEffectEvent(() => mutate());
  const forget = useEffectEvent(reset);
  useEffect(() => {
    forget();
    if (!isWorthIt) return undefined;
    const timer = setTimeout(() => look(), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [url, imageType, isWorthIt]);
  const text = isPending ? t('compose.imageChecking') : data === undefined ? '' : checkText(data);
  return (
    <p role="status" className={styles['check']} data-kind={data?.kind}>
      {text}
    </p>
  );

  function checkText(check: ImageCheck): string {
    if (check.kind === 'refused') return `✕ ${t('compose.imageRefused', { reason: check.reason })}`;
    if (check.kind === 'unchecked') return `! ${t('compose.imageUnchecked', { reason: check.reason })}`;
    if (check.sizeBytes === undefined) return `✓ ${t('compose.imageFine', { type: check.type })}`;
    return `✓ ${t('compose.imageFineSize', { type: check.type, size: formatBytes(check.sizeBytes) })}`;
  }
}
