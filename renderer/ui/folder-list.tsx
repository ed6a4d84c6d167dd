import { ArrowUp, Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderList as Listed } from '../../shared/ipc/calls/incidents.ts';
import { Button } from './button.tsx';
import styles from './fields.module.css';
import { SafeName } from './safe-name.tsx';

/** Folders of the machine where the agent runs: one is opened after the other until the right one is found. */
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
