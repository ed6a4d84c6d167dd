import { Outlet } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../commands/use-command.ts';
import { FirstRun } from '../features/onboarding/first-run.tsx';
import { useServices } from '../stores/services.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Arrivals } from './arrivals.tsx';
import { CommandPalette } from './command-palette.tsx';
import { DropArea } from './drop-area.tsx';
import styles from './app.module.css';
import { Rail } from './rail.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { StatusStrip } from './status-strip.tsx';
import { ToastRegion } from './toast-region.tsx';
import { useKeyboard } from './use-keyboard.ts';

const densities = ['compact', 'normal', 'comfortable'] as const;

/** What is always there: rail, the screen of the address, status strip; over it palette, shortcuts and news. */
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
    if (!freeze.getState().isFrozen) void queries.invalidateQueries({ predicate: isUploads });
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
      <Arrivals />
      <DropArea />
      <ToastRegion />
    </div>
  );
}

const isUploads = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
  String(queryKey[0]).startsWith('uploads.');

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
