import type { ReactNode } from 'react';
import type { GridColumn, GridSort } from './grid-types.ts';
import styles from './data-grid.module.css';

/** The headings; a sortable one is a button that turns the order. */
export function GridHead<Row>({
  columns,
  template,
  minWidth,
  sort,
  onSort,
}: {
  readonly columns: readonly GridColumn<Row>[];
  readonly template: string;
  readonly minWidth: number;
  readonly sort: GridSort | undefined;
  readonly onSort: ((columnId: string) => void) | undefined;
}): ReactNode {
  return (
    <div role="rowgroup" className={styles['head']} style={{ minWidth }}>
      <div role="row" aria-rowindex={1} className={styles['row']} style={{ gridTemplateColumns: template }}>
        {columns.map((column) => {
          const order = sort?.columnId === column.id ? sort.order : undefined;
          const isSortable = column.isSortable === true && onSort !== undefined;
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={isSortable ? (order ?? 'none') : undefined}
              title={column.heading}
              className={styles['heading']}
              data-align={column.align}
            >
              {isSortable ? (
                <button type="button" tabIndex={-1} onClick={() => onSort(column.id)}>
                  {column.heading}
                  <span aria-hidden>{order === 'ascending' ? ' ↑' : order === 'descending' ? ' ↓' : ''}</span>
                </button>
              ) : (
                column.heading
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
