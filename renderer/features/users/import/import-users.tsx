import { Upload } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../../commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { readCsvFile, type CsvTable, type CsvTrouble } from './read-csv.ts';
import { ImportDialog } from './import-dialog.tsx';
import { troubleText } from './trouble-text.ts';

type Opened =
  | { readonly kind: 'table'; readonly fileName: string; readonly table: CsvTable }
  | { readonly kind: 'trouble'; readonly fileName: string; readonly trouble: CsvTrouble };

/** Creates many users from a file: columns, a dry run, the run, and what came of it. */
export function ImportUsers(): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<Opened>();
  useCommand('users.import', () => input.current?.click());
  const close = (): void => setOpened(undefined);
  const open = async (file: File): Promise<void> => {
    const { name: fileName } = file;
    const read = await readCsvFile(file);
    setOpened(
      read.ok
        ? { kind: 'table', fileName, table: read.value }
        : { kind: 'trouble', fileName, trouble: read.error },
    );
  };
  return (
    <>
      <FileTrigger
        ref={input}
        acceptedFileTypes={['.csv', '.txt', 'text/csv', 'text/plain']}
        onSelect={(files) => {
          const file = files?.[0];
          if (file !== undefined) void open(file);
        }}
      >
        <Button icon={Upload}>{t('users.import.action')}</Button>
      </FileTrigger>
      {opened?.kind === 'table' ? (
        <ImportDialog fileName={opened.fileName} table={opened.table} close={close} />
      ) : null}
      {opened?.kind === 'trouble' ? (
        <Dialog
          title={t('users.import.unreadable', { file: opened.fileName })}
          isOpen
          onClose={close}
          actions={<Button onPress={close}>{t('common.close')}</Button>}
        >
          <p>{troubleText(opened.trouble, t)}</p>
        </Dialog>
      ) : null}
    </>
  );
}
