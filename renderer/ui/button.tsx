import { Copy, FolderOpen, type LucideIcon } from 'lucide-react';
import type { ReactNode, RefAttributes } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { keysOf, type CommandId, showChord } from '../commands/command-registry.ts';
import { useDesktopMutation } from '../queries/use-call.ts';
import { useServices } from '../stores/services.ts';
import styles from './ui.module.css';

/** A button. `primary`: the screen's main action; `danger`: cannot be undone; `quiet`: without a border. */
export function Button({
  kind = 'normal',
  icon: Icon,
  pointsOn = false,
  command,
  children,
  ...props
}: Omit<ButtonProps, 'children' | 'className' | 'style'> &
  RefAttributes<HTMLButtonElement> & {
    readonly kind?: 'normal' | 'primary' | 'danger' | 'quiet';
    readonly icon?: LucideIcon;
    /** The icon points along the text, so it is mirrored in right-to-left languages. */
    readonly pointsOn?: boolean;
    /** The equivalent command: its keys are shown beside the label. */
    readonly command?: CommandId | undefined;
    readonly children?: ReactNode;
  }): ReactNode {
  return (
    <AriaButton {...props} className={styles['button'] ?? ''} data-kind={kind}>
      {Icon === undefined ? null : <Icon size={15} aria-hidden className={pointsOn ? 'points-on' : ''} />}
      {children}
      {command === undefined ? null : <Keys command={command} />}
    </AriaButton>
  );
}

/** A link that looks like the main button and opens a separate tab without access to this page. */
export function TabLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={`${styles['button']} ${styles['tabLink']}`}
      data-kind="primary"
    >
      {children}
    </a>
  );
}

function Keys({ command }: { readonly command: CommandId }): ReactNode {
  const { isMac } = useServices();
  const [first] = keysOf(command);
  return first === undefined ? null : <kbd aria-hidden>{showChord(first, isMac)}</kbd>;
}

/** Returns a function that copies a text to the clipboard and confirms it in a notice. */
export function useCopy(): (text: string) => void {
  const { notices } = useServices();
  const { t } = useTranslation();
  return (text) =>
    void navigator.clipboard.writeText(text).then(
      () => notices.show({ level: 'info', text: t('common.copied') }),
      () => notices.show({ level: 'warning', text: t('common.notCopied') }),
    );
}

/** Copies a text to the clipboard and confirms it. `name` distinguishes the button from others with the same label. */
export function CopyButton({
  text,
  label,
  name,
}: {
  readonly text: string;
  readonly label: string;
  readonly name?: string;
}): ReactNode {
  const copy = useCopy();
  return (
    <Button icon={Copy} onPress={() => copy(text)} {...(name === undefined ? {} : { 'aria-label': name })}>
      {label}
    </Button>
  );
}

/** Opens the system's folder dialog; not rendered in a browser. */
export function ChooseFolder({ onChosen }: { readonly onChosen: (path: string) => void }): ReactNode {
  const { t } = useTranslation();
  const { bridge, notices } = useServices();
  const dialog = useDesktopMutation('chooseFolder', {
    onDone: ({ path }) => path !== undefined && onChosen(path),
    onFailed: notices.failed,
  });
  if (bridge.desktop === undefined) return null;
  return (
    <Button icon={FolderOpen} isDisabled={dialog.isPending} onPress={() => dialog.mutate({})}>
      {t('common.chooseFolder')}
    </Button>
  );
}
