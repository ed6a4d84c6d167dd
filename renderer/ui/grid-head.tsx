import { useRef, type PointerEvent, type ReactNode } from 'react';
import { usePreference, useServices } from '../stores/services.ts';
import styles from './data-grid.module.css';

/** One column of a grid. `cell` draws what is in a row; keep it small, it is drawn for each row in view. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly heading: string;
  /** Least width, pixels. */
  readonly minWidth: number;
  /** Part of the room that is left over; without it the column keeps its least width. */
  readonly share?: number;
  readonly align?: 'start' | 'end';
  readonly isSortable?: boolean;
  /** The heading is read, not seen: what is in the column says it. */
  readonly isSilent?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** The column and direction by which the rows are sorted. */
export interface GridSort {
  readonly columnId: string;
  readonly order: 'ascending' | 'descending';
}

/** A narrower column shows nothing, a wider one nothing else, pixels. */
const NARROWEST_PX = 40;
const WIDEST_PX = 1200;

/** The width as far as a column can have it. */
export const columnWidth = (widthPx: number): number =>
  Math.round(Math.min(Math.max(widthPx, NARROWEST_PX), WIDEST_PX));

/** The columns of a grid as a person has set them: without those that were hidden, with the widths they were given. */
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

/** The tracks of a row, and the width below which the grid scrolls sideways; `scale` is that of the text. */
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
    // Where every column has a width of its own the rest stays empty
    template: columns.some(({ share }) => share !== undefined) ? tracks.join(' ') : `${tracks.join(' ')} 1fr`,
    minWidth: columns.reduce((sum, column) => sum + column.minWidth * scale, 0),
  };
}

/** The headings; a sortable one is a button that turns the order, and the edge of each can be dragged. */
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

/** The edge of a column for the pointer; by keyboard the menu of the columns sets widths. */
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
