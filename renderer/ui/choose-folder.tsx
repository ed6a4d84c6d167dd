import { FolderOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDesktopOrder } from '../queries/use-desktop.ts';
import { useServices } from '../stores/services.ts';
import { Button } from './button.tsx';

/** Opens the system's folder dialog, where there is one; in a browser there is no such button. */
export function ChooseFolder({ onChosen }: { readonly onChosen: (path: string) => void }): ReactNode {
  const { t } = useTranslation();
  const { bridge, notices } = useServices();
  const dialog = useDesktopOrder('chooseFolder', {
    onDone: ({ path }) => path !== undefined && onChosen(path),
    onFailed: ({ message, advice }) => notices.show({ level: 'failure', text: `${message} ${advice}` }),
  });
  if (bridge.desktop === undefined) return null;
  return (
    <Button icon={FolderOpen} isDisabled={dialog.isPending} onPress={() => dialog.mutate({})}>
      {t('common.chooseFolder')}
    </Button>
  );
}
