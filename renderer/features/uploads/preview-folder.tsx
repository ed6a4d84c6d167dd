import { FolderPlus } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { ExportPreview, PreviewClip, PreviewNote } from '../../../shared/domain/explanation.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button, ChooseFolder } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FolderList } from '../../ui/setup-fields.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ShortTime, TimeText } from '../../ui/time-text.tsx';
import styles from './uploads.module.css';

/** A preview of a folder with an editable title, and a button to send it. */
export function PreviewFolder({
  folder,
  heading,
  leave,
  onSent,
  onClose,
}: {
  readonly folder: string;
  /** The default is the heading for a single folder. */
  readonly heading?: string;
  /** The buttons for not sending it. */
  readonly leave: ReactNode;
  readonly onSent: () => void;
  readonly onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const [title, setTitle] = useState<string>();
  const { data, error, refetch } = useRead('exports.preview', { folder }, { isLive: true });
  const push = useCallMutation('exports.push', {
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
            {data?.isCut === true
              ? t('uploads.sendWhole')
              : t('uploads.sendFolder', { count: data?.clips.length ?? 0 })}
          </Button>
        </>
      }
    >
      {failure === undefined ? null : <FailurePanel failure={failure} onRetry={() => void refetch()} />}
      {data === undefined ? (
        failure === undefined && <LoadingState />
      ) : (
        <>
          <TextField label={t('uploads.titleLabel')} value={title ?? data.title} onChange={setTitle} />
          <ExportPreviewView preview={data} />
        </>
      )}
    </Dialog>
  );
}

/** What a folder would become: its incident, its clips, and what is left out and why. */
function ExportPreviewView({ preview }: { readonly preview: ExportPreview }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Facts
        facts={[
          fact(t('uploads.folder'), <SafeName name={preview.folder} />),
          fact(t('uploads.happened'), preview.incidentAt && <TimeText value={preview.incidentAt} />),
          fact(t('uploads.description'), preview.description && <SafeName name={preview.description} />),
          fact(t('uploads.size'), <span className="ltr">{formatBytes(preview.totalBytes)}</span>),
          fact(t('uploads.knownAs'), preview.knownAs && <SafeName name={preview.knownAs.title} />),
        ]}
      />
      <table className={styles['table']}>
        <caption>{t('uploads.previewClips', { count: preview.clips.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('uploads.columnFile')}</th>
            <th scope="col">{t('uploads.columnCamera')}</th>
            <th scope="col">{t('uploads.columnRecorded')}</th>
            <th scope="col">{t('uploads.columnSize')}</th>
          </tr>
        </thead>
        <tbody>
          {preview.clips.map((clip) => (
            <ClipLine key={clip.file} clip={clip} />
          ))}
        </tbody>
      </table>
      <Notes title={t('uploads.skippedFiles')} notes={preview.skipped} />
      <Notes title={t('uploads.warnings')} notes={preview.warnings} />
      {preview.isCut ? <p>{t('uploads.previewCut')}</p> : null}
    </>
  );
}

function ClipLine({ clip }: { readonly clip: PreviewClip }): ReactNode {
  const { t } = useTranslation();
  const [duplicate] = clip.duplicates;
  return (
    <tr>
      <td>
        <SafeName name={clip.file} />
        {duplicate === undefined ? null : (
          <p className="warning">! {t('uploads.duplicateOf', { title: duplicate.incidentTitle })}</p>
        )}
      </td>
      <td>{clip.cameraName === undefined ? clip.cameraId : <SafeName name={clip.cameraName} />}</td>
      <td>
        <ShortTime value={clip.startedAt} />
      </td>
      <td className="ltr">{formatBytes(clip.sizeBytes)}</td>
    </tr>
  );
}

function Notes({
  title,
  notes,
}: {
  readonly title: string;
  readonly notes: readonly PreviewNote[];
}): ReactNode {
  if (notes.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {notes.map(({ code, message, file }) => (
          <li key={`${code} ${file ?? ''}`}>
            {file === undefined ? null : (
              <>
                <SafeName name={file} />{' '}
              </>
            )}
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Folders that were dropped or passed in from outside: each is previewed, then sent or skipped. */
export function ArrivedFolders(): ReactNode {
  const { t } = useTranslation();
  const { arrivals, notices } = useServices();
  const { folders, total } = useStore(arrivals);
  const [folder] = folders;
  if (folder === undefined) return null;
  // Escape or a press outside the dialog may be a slip, so it can be undone
  const skip = (): void => {
    arrivals.nextFolder();
    notices.show({
      level: 'info',
      text: t('uploads.folderSkipped', { folder: visibleName(folder) }),
      undo: () => arrivals.addFolders([folder]),
    });
  };
  const isOneOfMany = total > 1;
  return (
    <PreviewFolder
      // An edited title belongs to its folder
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
      onClose={skip}
    />
  );
}

/** Chooses an export folder, shows what it would become, and sends it on request. */
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

/** Pause in typing after which a path is looked up, milliseconds: half a path is not an error. */
const LOOK_AFTER_MS = 600;

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
  /** The text being typed, until it is looked up. */
  const [typed, setTyped] = useState<string>();
  const input = place === undefined ? {} : { path: place };
  const { data, error } = useRead('folders.list', input, { isLive: true });
  const wanted = typed ?? place ?? '';
  const look = useEffectEvent(() => {
    go(wanted === '' ? undefined : wanted);
    setTyped(undefined);
  });
  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(() => look(), LOOK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const failure = typed === undefined ? error?.failure : undefined;
  return (
    <Dialog
      title={t('uploads.addTitle')}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{t('common.cancel')}</Button>
          <ChooseFolder onChosen={choose} />
          <Button kind="primary" isDisabled={wanted === ''} onPress={() => choose(wanted)}>
            {t('uploads.previewFolder')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('uploads.folder')}
        description={t('uploads.folderHelp')}
        value={wanted}
        onChange={setTyped}
        error={failure && `${failure.message} ${failure.advice}`}
        isCode
      />
      {data === undefined ? error === null && <LoadingState /> : <FolderList list={data} go={go} />}
    </Dialog>
  );
}
