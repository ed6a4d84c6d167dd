import { FolderDown, FolderX } from 'lucide-react';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from '@tanstack/react-router';
import { useStore } from 'zustand';
import { ArrivedFolders } from '../features/uploads/preview-folder.tsx';
import type { UploadsSearch } from '../features/uploads/uploads-search.ts';
import { readDrop, type Drop, type Wanted } from '../stores/arrivals.ts';
import { useServices } from '../stores/services.ts';
import { useDialogOpen } from '../ui/dialog.tsx';
import styles from './app.module.css';

/** Shows whatever was handed to the page from outside, whichever screen is open. */
export function Arrivals(): ReactNode {
  useWanted();
  return <ArrivedFolders />;
}

/** Navigates to the wanted item with all other filters cleared. An open dialog is left alone; the item waits. */
function useWanted(): void {
  const { t } = useTranslation();
  const { arrivals, notices } = useServices();
  const wanted = useStore(arrivals, (state) => state.wanted);
  const isDialogOpen = useDialogOpen();
  const navigate = useNavigate();
  const show = useEffectEvent((what: Wanted) => {
    const isIncident = what.kind === 'incident';
    if (isDialogOpen) return notices.hint(t(isIncident ? 'frame.incidentWaits' : 'frame.failedWait'));
    arrivals.shown();
    void navigate({ to: '/uploads', search: searchOf(what) });
  });
  useEffect(() => {
    if (wanted !== undefined) show(wanted);
  }, [wanted, isDialogOpen]);
}

function searchOf(what: Wanted): Partial<UploadsSearch> {
  if (what.kind === 'failed') return { state: 'failed' };
  const { incidentId, clipId } = what;
  // A clip is only visible when its incident is expanded
  if (clipId !== undefined) return { incident: incidentId, clip: clipId, turned: [incidentId] };
  return { incident: incidentId };
}

/**
 * Accepts export folders dropped anywhere on the window. A browser does not reveal their paths, so there it only
 * explains what to do instead. The page is never replaced by a dropped file.
 */
export function DropArea(): ReactNode {
  const { t } = useTranslation();
  const { desktop } = useServices().bridge;
  const take = useDrop();
  const isDragging = useFileDrag(take);
  if (!isDragging) return null;
  const Icon = desktop === undefined ? FolderX : FolderDown;
  return (
    <section
      aria-label={t('frame.dropArea')}
      className={styles['drop']}
      data-refused={desktop === undefined || undefined}
    >
      <div className={styles['dropSign']}>
        <Icon size={32} aria-hidden />
        {desktop === undefined ? (
          <p>{t('frame.dropNoPath')}</p>
        ) : (
          <>
            <h2>{t('frame.dropTitle')}</h2>
            <p>{t('frame.dropText')}</p>
          </>
        )}
      </div>
    </section>
  );
}

/** Queues the dropped folders and explains why anything else was left out. */
function useDrop(): (drop: Drop) => void {
  const { t } = useTranslation();
  const { bridge, arrivals, notices } = useServices();
  return ({ folders, files }) => {
    if (bridge.desktop === undefined) return notices.hint(t('frame.dropNoPath'));
    if (folders.length === 0) return notices.hint(t('frame.dropNoFolder'));
    const paths = bridge.desktop.pathsOf(folders);
    arrivals.addFolders(paths);
    if (paths.length < folders.length) notices.hint(t('frame.dropNoPlace'));
    if (files > 0) notices.hint(t('frame.dropFilesLeft', { count: files }));
  };
}

/** Whether files or folders are being dragged over the window. Dragged text is left to the fields. */
function useFileDrag(onDrop: (drop: Drop) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const take = useEffectEvent((event: DragEvent) => {
    if (event.dataTransfer !== null) onDrop(readDrop(event.dataTransfer.items));
  });
  useEffect(() => {
    const listening = new AbortController();
    const listen = (name: 'dragenter' | 'dragover' | 'drop', react: (event: DragEvent) => void): void =>
      window.addEventListener(
        name,
        (event) => {
          if (!hasFiles(event)) return;
          // Otherwise the browser navigates to the dropped file
          event.preventDefault();
          react(event);
        },
        { signal: listening.signal },
      );
    listen('dragenter', () => setDragging(true));
    listen('dragover', ({ dataTransfer }) => {
      if (dataTransfer !== null) dataTransfer.dropEffect = 'copy';
    });
    listen('drop', (event) => {
      setDragging(false);
      take(event);
    });
    const end = (): void => setDragging(false);
    window.addEventListener(
      'dragleave',
      // Moving between two elements of the page also fires dragleave, with the entered element as relatedTarget
      ({ relatedTarget }) => relatedTarget === null && end(),
      { signal: listening.signal },
    );
    // A cancelled drag may end without an event; no pointermove fires during a drag
    window.addEventListener('pointermove', end, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return isDragging;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
