import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServices } from '../stores/services.ts';
import { Button } from './button.tsx';

/** Puts a text on the clipboard, and says so. `name` tells one button from others with the same words. */
export function CopyButton({
  text,
  label,
  name,
}: {
  readonly text: string;
  readonly label: string;
  readonly name?: string;
}): ReactNode {
  const { notices } = useServices();
  const { t } = useTranslation();
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => notices.show({ level: 'info', text: t('common.copied') }),
      () => notices.show({ level: 'warning', text: t('common.notCopied') }),
    );
  };
  return (
    <Button icon={Copy} onPress={copy} {...(name === undefined ? {} : { 'aria-label': name })}>
      {label}
    </Button>
  );
}
