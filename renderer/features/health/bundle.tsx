import { Download, LifeBuoy } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { BundleFile } from '../../../shared/ipc/calls/health.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { useCommand } from '../../commands/use-command.ts';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSaveFile } from '../../ui/save-file.ts';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { bundleName, bundleText } from './bundle-text.ts';
import styles from './health.module.css';

/** Gathers what support needs, shows all of it, and saves it only then. */
export function Bundle(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const gather = useOrder('health.bundle');
  const open = (): void => {
    setOpen(true);
    gather.mutate({});
  };
  useCommand('health.bundle', open);
  return (
    <>
      <Button icon={LifeBuoy} onPress={open}>
        {t('health.bundle')}
      </Button>
      <Dialog
        title={t('health.bundle')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
        actions={<Actions files={gather.data?.files} close={() => setOpen(false)} />}
      >
        <p>{t('health.bundleHelp')}</p>
        {gather.isPending ? <LoadingState /> : null}
        {gather.error === null ? null : (
          <FailurePanel failure={gather.error.failure} onRetry={() => gather.mutate({})} />
        )}
        {gather.data === undefined ? null : <Files files={gather.data.files} />}
      </Dialog>
    </>
  );
}

function Actions({
  files,
  close,
}: {
  readonly files: readonly BundleFile[] | undefined;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { clock, notices } = useServices();
  const saveFile = useSaveFile();
  const save = async (bundle: readonly BundleFile[]): Promise<void> => {
    const saved = await saveFile(bundleName(clock.now()), 'text/plain', bundleText(bundle));
    if (saved === 'left') return;
    notices.show({
      level: 'info',
      text: t(saved === 'saved' ? 'health.bundleStored' : 'health.bundleSaved'),
    });
    close();
  };
  return (
    <>
      <Button onPress={close}>{t('common.close')}</Button>
      <Button
        kind="primary"
        icon={Download}
        isDisabled={files === undefined}
        onPress={() => void (files !== undefined && save(files))}
      >
        {t('health.saveBundle')}
      </Button>
    </>
  );
}

const byteCount = (text: string): number => new TextEncoder().encode(text).length;

function Files({ files }: { readonly files: readonly BundleFile[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <Tabs orientation="vertical" className={styles['files'] ?? ''}>
      <TabList aria-label={t('health.bundleFiles')} className={styles['fileList'] ?? ''}>
        {files.map(({ name, text }) => (
          <Tab key={name} id={name} className={styles['file'] ?? ''}>
            <span className="ltr">{name}</span>
            <span className="dim">{formatBytes(byteCount(text))}</span>
          </Tab>
        ))}
      </TabList>
      {files.map(({ name, text }) => (
        <TabPanel key={name} id={name} className={styles['fileText'] ?? ''}>
          <pre className="ltr">{text}</pre>
        </TabPanel>
      ))}
    </Tabs>
  );
}
