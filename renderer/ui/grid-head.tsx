import { useRef, type PointerEvent, type ReactNode } from 'react';
import { usePreference, useServices } from '../stores/services.ts';
import styles from './data-grid.module.css';

/** A column of a grid. `cell` renders a cell; keep it cheap, since it runs for every row in view. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly heading: string;
  /** Minimum width, pixels. */
  readonly minWidth: number;
  /** Share of the remaining width; without it, the column keeps its minimum width. */
  readonly share?: number;
  readonly align?: 'start' | 'end';
  readonly isSortable?: boolean;
  /** The heading is for screen readers only: the cells speak for themselves. */
  readonly isSilent?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** The column and direction that the rows are sorted by. */
export interface GridSort {
  readonly columnId: string;
  readonly order: 'ascending' | 'descending';
}

/** Limits of a column's width, pixels: a narrower column shows nothing, a wider one leaves no room for others. */
const NARROWEST_PX = 40;
const WIDEST_PX = 1200;

/** A width within the limits, rounded to whole pixels. */
export const columnWidth = (widthPx: number): number =>
  Math.round(Math.min(Math.max(widthPx, NARROWEST_PX), WIDEST_PX));

/** The columns of a grid as the user has set them up: without hidden ones, with custom widths. */
export function useColumns<Row>(
  gridId: string,
  columns: readonly GridColumn<Row>[],
): {
  readonly columns: readonly GridColumn<Row>[];
  readonly resize: (columnId: string, widthPx: number) => void;
} {
  const { preferences } = useServices();
  const widths = usePreference((kept) => kept.widths);
  const hidden = usePreference((kept) => kept.hidden);
  const shown = columns.filter(({ id }) => !hidden.includes(`${gridId}.${id}`));
  return {
    columns: shown.map((column) => {
      const width = widths[`${gridId}.${column.id}`];
      if (width === undefined) return column;
      const { share: _share, ...fixed } = column;
      return { ...fixed, minWidth: width };
    }),
    resize: (columnId, widthPx) =>
      preferences.getState().set({
        widths: { ...preferences.getState().widths, [`${gridId}.${columnId}`]: columnWidth(widthPx) },
      }),
  };
}

/** Column template of a row, and the width below which the grid scrolls sideways; `scale` is that of the text. */
export function gridTracks(
  columns: readonly Pick<GridColumn<never>, 'minWidth' | 'share'>[],
  scale: number,
): {
  readonly template: string;
  readonly minWidth: number;
} {
  const tracks = columns.map(({ minWidth, share }) =>
    share === undefined ? `${minWidth * scale}px` : `minmax(${minWidth * scale}px, ${share}fr)`,
  );
  return {
    // If every column has a fixed width, the rest stays empty
    template: columns.some(({ share }) => share !== undefined) ? tracks.join(' ') : `${tracks.join(' ')} 1fr`,
    minWidth: columns.reduce((sum, column) => sum + column.minWidth * scale, 0),
  };
}

/** The headings; a sortable one is a button that changes the order, and the edge of each can be dragged. */
export function GridHead<Row>({
  columns,
  template,
  minWidth,
  sort,
  onSort,
  onResize,
}: {
  readonly columns: readonly GridColumn<Row>[];
  readonly template: string;
  readonly minWidth: number;
  readonly sort: GridSort | undefined;
  readonly onSort: ((columnId: string) => void) | undefined;
  readonly onResize: ((columnId: string, widthPx: number) => void) | undefined;
}): ReactNode {
  return (
    <div role="rowgroup" className={styles['head']} style={{ minWidth }}>
      <div role="row" aria-rowindex={1} className={styles['row']} style={{ gridTemplateColumns: template }}>
        {columns.map((column) => {
          const order = sort?.columnId === column.id ? sort.order : undefined;
          const isSortable = column.isSortable === true && onSort !== undefined;
          const heading =
            column.isSilent === true ? (
              <span className="visually-hidden">{column.heading}</span>
            ) : (
              column.heading
            );
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
                  <span className={styles['sorted']}>{heading}</span>
                  {order === undefined ? null : (
                    <span aria-hidden>{order === 'ascending' ? ' ↑' : ' ↓'}</span>
                  )}
                </button>
              ) : (
                heading
              )}
              {onResize === undefined || column.isSilent === true ? null : (
                <ColumnEdge onResize={(widthPx) => onResize(column.id, widthPx)} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The draggable edge of a column; keyboard users set widths in the columns menu. */
function ColumnEdge({ onResize }: { readonly onResize: (widthPx: number) => void }): ReactNode {
  const drag = useRef<{ readonly fromX: number; readonly widthPx: number; readonly sign: number }>(undefined);
  const begin = (event: PointerEvent<HTMLSpanElement>): void => {
    const heading = event.currentTarget.parentElement;
    if (heading === null) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const sign = getComputedStyle(heading).direction === 'rtl' ? -1 : 1;
    drag.current = { fromX: event.clientX, widthPx: heading.offsetWidth, sign };
  };
  return (
    <span
      aria-hidden
      className={styles['edge']}
      onPointerDown={begin}
      onPointerMove={({ clientX }) => {
        const { current } = drag;
        if (current !== undefined) onResize(current.widthPx + (clientX - current.fromX) * current.sign);
      }}
      onLostPointerCapture={() => (drag.current = undefined)}
    />
  );
}
