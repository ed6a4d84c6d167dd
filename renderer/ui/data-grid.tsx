import { useEffect, useId, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { AskedRow } from '../stores/arrivals.ts';
import { usePreference } from '../stores/services.ts';
import styles from './data-grid.module.css';
import {
  followCursor,
  moveCursor,
  rowsToDraw,
  useAwaitedRow,
  useRowRange,
  useSeekRow,
  type Cursor,
} from './grid-rows.ts';

const rowHeights = { compact: 24, normal: 28, comfortable: 36 } as const;

/** What a grid needs; rows come one by one, so that 100,000 of them never stand in memory. */
export interface DataGridProps<Row> {
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rowCount: number;
  /** Undefined while it is not there yet. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowId: (row: Row) => string;
  /** Called when other rows come into view. */
  readonly onShow?: (first: number, last: number) => void;
  /** The row under the cursor, by id. */
  readonly cursorId: string | undefined;
  readonly onCursor: (row: Row) => void;
  /** At which index a row stands that was chosen elsewhere: it is brought into view. Undefined: nobody knows. */
  readonly placeOf?: (rowId: string) => Promise<number | undefined>;
  /** It is brought into view once more each time that it is asked for. */
  readonly asked?: AskedRow | undefined;
  readonly onOpen?: (row: Row) => void;
  readonly sort?: GridSort | undefined;
  readonly onSort?: (columnId: string) => void;
  /** Rows that are marked for a bulk change; without it nothing can be marked. */
  readonly marked?: ReadonlySet<string>;
  readonly onMark?: (row: Row) => void;
}

/**
 * A grid of any length: only the rows in view are in the page. One tab stop; arrows, Home, End, Page Up and Page Down
 * (also J and K) move the cursor, Enter opens, X or Space marks.
 */
export function DataGrid<Row>(props: DataGridProps<Row>): ReactNode {
  const { columns, rowCount, rowAt, rowId, onShow, cursorId, onCursor, onOpen, marked, onMark } = props;
  const gridId = useId();
  const rowHeight = rowHeights[usePreference((preferences) => preferences.density)];
  const [cursor, setCursor] = useState<Cursor>({ index: 0, id: cursorId });
  const idAt = (index: number): string | undefined => {
    const row = rowAt(index);
    return row === undefined ? undefined : rowId(row);
  };
  const bounded = followCursor(cursor, rowCount, idAt);
  const { box, body, range, reveal } = useRowRange(rowHeight);
  const setOwn = useSeekRow({
    wanted: cursorId,
    asked: props.asked,
    isThere: rowCount > 0,
    placeOf: props.placeOf,
    onFound(index, id) {
      setCursor({ index, id });
      reveal(index);
    },
  });
  const { first, last, keyBase } = range;
  const lastRow = Math.min(last, rowCount - 1);
  useEffect(() => onShow?.(first, lastRow), [onShow, first, lastRow]);

  function choose(row: Row): void {
    setOwn(rowId(row));
    onCursor(row);
  }

  function moveTo(index: number): void {
    const row = rowAt(index);
    setCursor({ index, id: idAt(index), isAwaited: row === undefined });
    reveal(index);
    if (row !== undefined) choose(row);
  }

  // Another list: the place that was meant is gone
  if (cursor.isAwaited === true && rowCount === 0) setCursor({ index: 0, id: undefined });
  useAwaitedRow(cursor.isAwaited === true ? rowAt(cursor.index) : undefined, (row) => {
    setCursor({ index: cursor.index, id: rowId(row) });
    choose(row);
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rowAt(bounded);
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1);
    // As long as nothing was chosen the first step takes the first row
    const from = cursor.id === undefined && cursor.index === 0 && cursor.isAwaited !== true ? -1 : bounded;
    const target = moveCursor(event.key, from, rowCount, pageRows);
    if (target !== undefined) moveTo(target);
    else if (event.key === 'Enter' && row !== undefined) onOpen?.(row);
    else if ((event.key === 'x' || event.key === ' ') && row !== undefined && onMark !== undefined)
      onMark(row);
    else return;
    event.preventDefault();
  }

  const { template, minWidth } = gridTracks(columns);
  return (
    <div
      ref={box}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      aria-multiselectable={onMark !== undefined}
      aria-activedescendant={rowCount === 0 ? undefined : `${gridId}-${bounded}`}
      tabIndex={0}
      className={styles['grid']}
      onKeyDown={onKeyDown}
    >
      <GridHead
        columns={columns}
        template={template}
        minWidth={minWidth}
        sort={props.sort}
        onSort={props.onSort}
      />
      <div
        ref={body}
        role="rowgroup"
        className={styles['body']}
        style={{ height: rowCount * rowHeight, minWidth }}
      >
        {rowsToDraw(range, rowCount, bounded).map((index) => {
          const row = rowAt(index);
          const id = row === undefined ? undefined : rowId(row);
          return (
            <GridRow
              // One that is here only because the cursor is on it takes no part in the taking over
              key={index === bounded && (index < first || index > last) ? 'cursor' : index - keyBase}
              id={`${gridId}-${index}`}
              index={index}
              top={index * rowHeight}
              template={template}
              columns={columns}
              row={row}
              isCursor={index === bounded}
              isChosen={id !== undefined && id === cursorId}
              isMarked={id !== undefined && marked?.has(id) === true}
              onPress={moveTo}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}

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
  readonly cell: (row: Row) => ReactNode;
}

/** By which column, and in which order, the rows stand. */
export interface GridSort {
  readonly columnId: string;
  readonly order: 'ascending' | 'descending';
}

/** The tracks of a row, and the width below which the grid scrolls sideways. */
function gridTracks(columns: readonly Pick<GridColumn<never>, 'minWidth' | 'share'>[]): {
  readonly template: string;
  readonly minWidth: number;
} {
  const tracks = columns.map(({ minWidth, share }) =>
    share === undefined ? `${minWidth}px` : `minmax(${minWidth}px, ${share}fr)`,
  );
  return {
    template: tracks.join(' '),
    minWidth: columns.reduce((sum, column) => sum + column.minWidth, 0),
  };
}

/** The headings; a sortable one is a button that turns the order. */
function GridHead<Row>({
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

/** One row at its place; a row that is not there yet keeps its height. */
function GridRow<Row>({
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
