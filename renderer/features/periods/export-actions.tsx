import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../commands/use-command.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { csvText } from '../../ui/csv-text.ts';
import { useSaveFile } from '../../ui/save-file.ts';
import { actionTable, csvFileName } from './actions-csv.ts';
import type { ActionView } from './use-action-view.ts';

/** Saves the actions that are listed, in their order. */
export function ExportActions({
  view,
  name,
}: {
  readonly view: ActionView;
  /** Of the period. */
  readonly name: string;
}): ReactNode {
  const { t } = useTranslation();
  const { clock, notices } = useServices();
  const saveFile = useSaveFile();
  const { rows, fields } = view;
  const save = async (): Promise<void> => {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const table = csvText(actionTable(rows, fields, t));
    if ((await saveFile(csvFileName(name, day), 'text/csv', table)) === 'left') return;
    notices.show({ level: 'info', text: t('periods.exported', { count: rows.length }) });
  };
  useCommand('periods.export', () => void save(), rows.length > 0);
  return (
    <Button icon={Download} isDisabled={rows.length === 0} onPress={() => void save()}>
      {t('periods.export')}
    </Button>
  );
}
