import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrder, useRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ExportPreviewView } from './export-preview.tsx';

/** What would become of a folder, under a title that can be changed, and the button that sends it. */
export function PreviewFolder({
  folder,
  heading,
  leave,
  onSent,
  onClose,
}: {
  readonly folder: string;
  /** Missing: that of a single folder. */
  readonly heading?: string;
  /** The buttons that do not send it. */
  readonly leave: ReactNode;
  readonly onSent: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const [title, setTitle] = useState<string>();
  const { data, error, refetch } = useRead('exports.preview', { folder });
  const push = useOrder('exports.push', {
    onDone: () => {
      notices.show({ level: 'info', text: t('uploads.pushed') });
      onSent();
    },
  });
  const failure = error?.failure ?? push.error?.failure;
  const isUsable = data !== undefined && data.clips.length > 0;
  const given =
    title === undefined || title.trim() === '' || title === data?.title ? {} : { title: title.trim() };
  return (
    <Dialog
      title={heading ?? t('uploads.previewTitle')}
      isOpen
      isWide
      onClose={onClose}
      actions={
        <>
          {leave}
          <Button
            kind="primary"
            isDisabled={!isUsable || push.isPending}
            onPress={() => push.mutate({ folders: [folder], ...given })}
          >
            {t('uploads.sendFolder', { count: data?.clips.length ?? 0 })}
          </Button>
        </>
      }
    >
      {failure === undefined ? null : <FailurePanel failure={failure} onRetry={() => void refetch()} />}
      {data === undefined ? (
        failure === undefined && <LoadingState />
      ) : (
        <>
          <TextField label={t('uploads.columnTitle')} value={title ?? data.title} onChange={setTitle} />
          <ExportPreviewView preview={data} />
        </>
      )}
    </Dialog>
  );
}
