import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserFilter } from '../../../shared/domain/team-user.ts';
import { useCommand } from '../../commands/use-command.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { csvText } from '../../ui/csv-text.ts';
import { useSaveFile } from '../../ui/save-file.ts';
import { useExport } from './use-export.ts';
import { useFileName } from './use-file-name.ts';
import { userTable } from './user-table.ts';

/** Saves all users that fit the filter, from all pages. */
export function ExportUsers({ filter }: { readonly filter: UserFilter }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const fileName = useFileName();
  const saveFile = useSaveFile();
  const { progress, readAll } = useExport();
  const save = async (): Promise<void> => {
    const users = await readAll(filter);
    if (users === undefined) return;
    if (!users.ok) {
      const { message, advice } = users.error;
      notices.show({ level: 'failure', text: `${message} ${advice}` });
      return;
    }
    const table = csvText(userTable(users.value, t));
    if ((await saveFile(fileName('users'), 'text/csv', table)) === 'left') return;
    notices.show({ level: 'info', text: t('users.exported', { count: users.value.length }) });
  };
  useCommand('users.export', () => void save(), progress === undefined);
  return (
    <Button icon={Download} isDisabled={progress !== undefined} onPress={() => void save()}>
      {progress === undefined ? t('users.export') : t('users.exporting', progress)}
    </Button>
  );
}
