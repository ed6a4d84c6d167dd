import type { LucideIcon } from 'lucide-react';
import type { ReactNode, RefAttributes } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import { keysOf, type CommandId } from '../commands/catalogue.ts';
import { showChord } from '../commands/chord.ts';
import { useServices } from '../stores/services.ts';
import styles from './ui.module.css';

/** A button. `primary`: what the screen is for; `danger`: what cannot be taken back; `quiet`: without an edge. */
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
    /** The icon points forwards or backwards in the text: it turns with it. */
    readonly pointsOn?: boolean;
    /** The command that does the same: its keys are shown beside the words. */
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

function Keys({ command }: { readonly command: CommandId }): ReactNode {
  const { isMac } = useServices();
  const [first] = keysOf(command);
  return first === undefined ? null : <kbd aria-hidden>{showChord(first, isMac)}</kbd>;
}
