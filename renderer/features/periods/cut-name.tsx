import type { ReactNode } from 'react';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import styles from './periods.module.css';

/** Words of the service in a cell: the beginning where the room is small, whole where the pointer rests. */
export function CutName({ name }: { readonly name: string | undefined }): ReactNode {
  if (name === undefined) return null;
  const shown = visibleName(name);
  return (
    <span title={shown} className={styles['cut']}>
      <span dir="auto">{shown}</span>
    </span>
  );
}
