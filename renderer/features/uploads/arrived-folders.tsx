import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { PreviewFolder } from './preview-folder.tsx';

/** Folders that were dropped or given from outside: each is looked at, then sent or skipped. */
export function ArrivedFolders(): ReactNode {
  const { t } = useTranslation();
  const { arrivals } = useServices();
  const { folders, total } = useStore(arrivals);
  const [folder] = folders;
  if (folder === undefined) return null;
  const isOneOfMany = total > 1;
  return (
    <PreviewFolder
      // A title that was typed belongs to its folder
      key={folder}
      folder={folder}
      heading={
        isOneOfMany
          ? t('uploads.previewOf', { number: total - folders.length + 1, total })
          : t('uploads.previewTitle')
      }
      leave={
        <>
          {folders.length > 1 ? (
            <Button onPress={arrivals.leaveFolders}>
              {t('uploads.skipFolders', { count: folders.length })}
            </Button>
          ) : null}
          <Button onPress={arrivals.nextFolder}>
            {isOneOfMany ? t('uploads.skipFolder') : t('common.cancel')}
          </Button>
        </>
      }
      onSent={arrivals.nextFolder}
      onClose={arrivals.nextFolder}
    />
  );
}
