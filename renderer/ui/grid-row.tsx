import { useMemo, type ReactNode } from 'react';
import type { GridColumn } from './grid-types.ts';
import styles from './data-grid.module.css';

/** One row at its place; a row that is not there yet keeps its height. */
export function GridRow<Row>({
  id,
  index,
  top,
  template,
  columns,
  row,
  isCursor,
  isChosen,
  isMarked,
  onPress,
  onOpen,
}: {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly template: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly row: Row | undefined;
  readonly isCursor: boolean;
  readonly isChosen: boolean;
  readonly isMarked: boolean;
  readonly onPress: (index: number) => void;
  readonly onOpen: ((row: Row) => void) | undefined;
}): ReactNode {
  // A row that only moves, or is chosen, does not draw its cells anew
  const cells = useMemo(
    () =>
      columns.map((column) => (
        <div key={column.id} role="gridcell" className={styles['cell']} data-align={column.align}>
          {row === undefined ? null : column.cell(row)}
        </div>
      )),
    [columns, row],
  );
  return (
    // The keyboard works on the grid itself, which names this row as the active one
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen || isMarked}
      data-cursor={isCursor || undefined}
      data-marked={isMarked || undefined}
      className={`${styles['row']} ${styles['placed']}`}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
      onClick={() => onPress(index)}
      onDoubleClick={() => {
        if (row !== undefined) onOpen?.(row);
      }}
    >
      {cells}
    </div>
  );
}
