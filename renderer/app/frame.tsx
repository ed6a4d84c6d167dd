import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Activity, CalendarClock, ClipboardList, MessageSquare, Settings, Upload, Users } from 'lucide-react';
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useTranslation } from 'react-i18next';
import { keysOf, matchesChord, parseChord } from '../commands/command-registry.ts';
import { FirstRun } from '../features/onboarding/first-run.tsx';
import { formatCount } from '../format/format.ts';
import { readAgain, useRead } from '../queries/use-call.ts';
import { readPlace } from '../stores/preferences.ts';
import { useCommand, useLocale, usePreference, useServices } from '../stores/services.ts';
import { Button, TabLink } from '../ui/button.tsx';
import { Dialog, isDialogOpen } from '../ui/dialog.tsx';
import { ShortcutList } from '../ui/shortcut-list.tsx';
import { EmptyState } from '../ui/states.tsx';
import styles from './app.module.css';
import { Arrivals, DropArea } from './arrivals.tsx';
import { ToastRegion } from './notices.tsx';
import { CommandPalette } from './palette.tsx';
import { StatusStrip } from './status-strip.tsx';

const densities = ['compact', 'normal', 'comfortable'] as const;

/** The permanent frame: rail, current screen and status strip, with palette, shortcuts and toasts on top. */
export function Frame(): ReactNode {
  const { preferences, freeze } = useServices();
  const queries = useQueryClient();
  useKeyboard();
  useCommand('app.refresh', () => void queries.invalidateQueries());
  useCommand('view.times', () => {
    const { times, set } = preferences.getState();
    set({ times: times === 'utc' ? 'local' : 'utc' });
  });
  useCommand('view.theme', () => {
    const { set } = preferences.getState();
    set({ theme: document.documentElement.dataset['theme'] === 'light' ? 'dark' : 'light' });
  });
  useCommand('view.density', () => {
    const { density, set } = preferences.getState();
    set({ density: densities[(densities.indexOf(density) + 1) % densities.length] ?? 'normal' });
  });
  useCommand('view.freeze', () => {
    freeze.toggle();
    if (!freeze.getState().isFrozen) readAgain(queries, ['uploads.']);
  });
  return (
    <div className={styles['frame']}>
      <Rail />
      <div className={styles['screen']}>
        <ErrorBoundary FallbackComponent={Crashed}>
          <FirstRun>
            <Outlet />
          </FirstRun>
        </ErrorBoundary>
      </div>
      <StatusStrip />
      <CommandPalette />
      <ShortcutSheet />
      <Question />
      <Arrivals />
      <DropArea />
      <ToastRegion />
    </div>
  );
}

function Crashed({ resetErrorBoundary }: { readonly resetErrorBoundary: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <main>
      <EmptyState
        title={t('frame.crashed')}
        action={<Button onPress={resetErrorBoundary}>{t('common.tryAgain')}</Button>}
      />
    </main>
  );
}

const typing =
  'input, textarea, select, [contenteditable], [role="textbox"], [role="searchbox"], [role="spinbutton"]';

/** Whether a key press belongs to a text field. Ctrl+Z in an empty field does not: there is nothing to undo in it. */
function isTyped(target: Element | undefined, { ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (target === undefined || target.closest(typing) === null) return false;
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return !(isField && target.value === '' && (ctrlKey || metaKey));
}

/** Passes key presses to the commands, except while a dialog is open. */
function useKeyboard(): void {
  const { t } = useTranslation();
  const { commands, notices, isMac } = useServices();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const target = event.target instanceof Element ? event.target : undefined;
      if (isDialogOpen()) return;
      const isTyping = isTyped(target, event);
      if (commands.press(event, isTyping)) event.preventDefault();
      else if (!isTyping && isUndo(event, isMac)) notices.hint(t('frame.nothingToUndo'));
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [commands, notices, isMac, t]);
}

/** An undo that comes too late gets a hint, so that nobody assumes it worked. */
const isUndo = (event: KeyboardEvent, isMac: boolean): boolean =>
  keysOf('app.undo').some((keys) => matchesChord(parseChord(keys), event, isMac));

const screens = [
  { id: 'uploads', icon: Upload },
  { id: 'periods', icon: CalendarClock },
  { id: 'compose', icon: MessageSquare },
  { id: 'users', icon: Users },
  { id: 'settings', icon: Settings },
  { id: 'health', icon: Activity },
  { id: 'handover', icon: ClipboardList },
] as const;

/** Links to the screens; only failures get a badge. */
function Rail(): ReactNode {
  const { t } = useTranslation();
  const { data } = useRead('health.get', {});
  const failed = data?.queue.failed ?? 0;
  return (
    <nav aria-label={t('frame.screens')} className={styles['rail']}>
      {screens.map(({ id, icon }) => (
        <RailLink key={id} id={id} icon={icon} failed={id === 'uploads' ? failed : 0} />
      ))}
    </nav>
  );
}

/** A location: `search` is as the screen left it, and is parsed again by the screen. */
interface Place {
  readonly pathname: string;
  readonly search: unknown;
}

/** The search parameters that a screen was left with: they are restored on return, also after a reload. */
function useScreenPlace(id: string): Record<string, unknown> {
  const { preferences } = useServices();
  const { pathname, search }: Place = useLocation();
  const kept = usePreference(({ places }) => places[id]);
  const isHere = pathname === `/${id}`;
  useEffect(() => {
    const { places, set } = preferences.getState();
    const now = JSON.stringify(search);
    if (isHere && places[id] !== now) set({ places: { ...places, [id]: now } });
  }, [id, isHere, preferences, search]);
  return useMemo(() => readPlace(kept), [kept]);
}

function RailLink({
  id,
  icon: Icon,
  failed,
}: {
  readonly id: (typeof screens)[number]['id'];
  readonly icon: typeof Upload;
  readonly failed: number;
}): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const navigate = useNavigate();
  const search = useScreenPlace(id);
  useCommand(`go.${id}`, () => void navigate({ to: `/${id}`, search }));
  return (
    <Link
      to={`/${id}`}
      search={search}
      preload="intent"
      className={styles['link'] ?? ''}
      activeProps={{ 'aria-current': 'page' }}
    >
      <Icon size={20} aria-hidden />
      <span>{t(`screen.${id}`)}</span>
      {failed === 0 ? null : (
        <span className={styles['badge']} data-badge>
          <span aria-hidden>✕ {formatCount(failed, locale)}</span>
          <span className="visually-hidden">{t('frame.failuresBadge', { count: failed })}</span>
        </span>
      )}
    </Link>
  );
}

/** Lists the keyboard shortcuts. */
function ShortcutSheet(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useCommand('app.shortcuts', () => setOpen(true));
  return (
    <Dialog
      title={t('frame.shortcuts')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      isWide
      actions={<Button onPress={() => setOpen(false)}>{t('common.close')}</Button>}
    >
      <ShortcutList />
    </Dialog>
  );
}

/** Links to a question that must be answered in another tab; disappears once it is answered. */
function Question(): ReactNode {
  const { t } = useTranslation();
  const { bridge } = useServices();
  const question = useSyncExternalStore(bridge.onQuestion, bridge.question);
  if (question === undefined) return null;
  const { message, address, cancel } = question;
  return (
    <Dialog
      title={message}
      isOpen
      isAlert
      onClose={cancel}
      actions={
        <>
          <Button onPress={cancel}>{t('common.cancel')}</Button>
          <TabLink href={address}>{t('frame.openQuestion')}</TabLink>
        </>
      }
    >
      <p>{t('frame.questionElsewhere')}</p>
    </Dialog>
  );
}
