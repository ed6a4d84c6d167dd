import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Input } from 'react-aria-components';
import fields from './fields.module.css';

/** The line of a combo box, and the button that shows what can be chosen. `isCode` as in `TextField`. */
export function ComboInput({ isCode = false }: { readonly isCode?: boolean }): ReactNode {
  return (
    <div className={fields['combo']}>
      <Input className={`${fields['input'] ?? ''} ${isCode ? 'mono ltr' : ''}`} />
      <Button className={fields['comboButton'] ?? ''}>
        <ChevronDown size={14} aria-hidden />
      </Button>
    </div>
  );
}
