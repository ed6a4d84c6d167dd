import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Input } from 'react-aria-components';
import styles from './combo-input.module.css';
import fields from './fields.module.css';

/** The line of a combo box, and the button that shows what can be chosen. `isCode` as in `TextField`. */
export function ComboInput({ isCode = false }: { readonly isCode?: boolean }): ReactNode {
  return (
    <div className={styles['combo']}>
      <Input className={`${fields['input'] ?? ''} ${isCode ? 'mono ltr' : ''}`} />
      <Button className={styles['button'] ?? ''}>
        <ChevronDown size={14} aria-hidden />
      </Button>
    </div>
  );
}
