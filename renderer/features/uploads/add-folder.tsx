import { ArrowUp, Folder, FolderPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../queries/use-call.ts';
import { useCommand } from '../../stores/services.ts';
import { Button, ChooseFolder } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { PreviewFolder } from './preview-folder.tsx';
import styles from './uploads.module.css';

/** Chooses an export folder, shows what would become of it, and sends it when that is what is wanted. */
export function AddFolder(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useCommand('uploads.add', () => setOpen(true));
  return (
    <>
      <Button kind="primary" icon={FolderPlus} onPress={() => setOpen(true)}>
        {t('uploads.addFolder')}
      </Button>
      {isOpen ? <FolderToAdd close={() => setOpen(false)} /> : null}
    </>
  );
}

function FolderToAdd({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const [place, setPlace] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  return chosen === undefined ? (
    <BrowseFolders place={place} go={setPlace} choose={setChosen} close={close} />
  ) : (
    <PreviewFolder
      folder={chosen}
      leave={<Button onPress={() => setChosen(undefined)}>{t('uploads.otherFolder')}</Button>}
      onSent={close}
      onClose={close}
    />
  );
}

function BrowseFolders({
  place,
  go,
  choose,
  close,
}: {
  readonly place: string | undefined;
  readonly go: (place: string | undefined) => void;
  readonly choose: (folder: string) => void;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useRead('folders.list', place === undefined ? {} : { path: place });
  return (
    <Dialog
      title={t('uploads.addTitle')}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <ChooseFolder onChosen={choose} />
          <Button
            kind="primary"
            isDisabled={place === undefined}
            onPress={() => place !== undefined && choose(place)}
          >
            {t('uploads.previewFolder')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('uploads.folder')}
        description={t('uploads.folderHelp')}
        value={place ?? ''}
        onChange={(text) => go(text === '' ? undefined : text)}
        isCode
      />
      <FailurePanel failure={error?.failure} />
      {data === undefined && error === null ? <LoadingState /> : null}
      {data === undefined ? null : (
        <ul aria-label={t('uploads.folders')} className={styles['folders']}>
          {data.folder === undefined ? null : (
            <li>
              <Button kind="quiet" icon={ArrowUp} onPress={() => go(data.parent)}>
                {t('uploads.folderAbove')}
              </Button>
            </li>
          )}
          {data.folders.map(({ name, path, isReadable }) => (
            <li key={path}>
              <Button kind="quiet" icon={Folder} isDisabled={isReadable === false} onPress={() => go(path)}>
                <SafeName name={name} />
              </Button>
            </li>
          ))}
          {data.isCut ? <li className="dim">{t('uploads.moreFolders')}</li> : null}
        </ul>
      )}
    </Dialog>
  );
}
