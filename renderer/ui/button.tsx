import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components';
import styles from './button.module.css';

/** A button. `primary`: what the screen is for; `danger`: what cannot be taken back; `quiet`: without an edge. */
export function Button({
  kind = 'normal',
  icon: Icon,
  chord,
  children,
  ...props
}: Omit<ButtonProps, 'children' | 'className' | 'style'> & {
  readonly kind?: 'normal' | 'primary' | 'danger' | 'quiet';
  readonly icon?: LucideIcon;
  /** The keys that do the same, shown beside the words. */
  readonly chord?: string | undefined;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <AriaButton {...props} className={styles['button'] ?? ''} data-kind={kind}>
      {Icon === undefined ? null : <Icon size={15} aria-hidden />}
      {children}
      {chord === undefined ? null : <kbd aria-hidden>{chord}</kbd>}
    </AriaButton>
  );
}
