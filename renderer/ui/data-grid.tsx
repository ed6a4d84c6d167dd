import {
  memo,
  useEffect,
  useId,
  useMemo,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import type { AskedRow } from '../stores/arrivals.ts';
import type { Preferences } from '../stores/preferences.ts';
import { usePreference, useServices } from '../stores/services.ts';
import styles from './data-grid.module.css';
import { GridHead, gridTracks, useColumns, type GridColumn, type GridSort } from './grid-head.tsx';
import {
  followCursor,
  moveCursor,
  rowsToDraw,
  useAwaitedRow,
  useLeftList,
  useRowRange,
  useSeekRow,
  type Cursor,
} from './grid-rows.ts';

declare module 'react' {
  interface CSSProperties {
    readonly '--row'?: string;
    readonly '--tracks'?: string;
  }
}

type RowHeights = Readonly<Record<Preferences['density'], number>>;

const rowHeights: RowHeights = { compact: 24, normal: 28, comfortable: 36 };

/** Props of a grid. Rows are fetched one by one, so that 100,000 of them are never in memory at once. */
export interface DataGridProps<Row extends object> {
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rowCount: number;
  /** Undefined while the row is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowId: (row: Row) => string;
  /** Called when different rows come into view. */
  readonly onShow?: (first: number, last: number) => void;
  /** ID of the selected row. */
  readonly cursorId: string | undefined;
  readonly onCursor: (row: Row) => void;
  /** Index of a row selected outside the grid, to scroll it into view; undefined when unknown. */
  readonly placeOf?: (rowId: string) => Promise<number | undefined>;
  /** A row requested from outside: each request scrolls it into view again. */
  readonly asked?: AskedRow | undefined;
  readonly onOpen?: (row: Row) => void;
  readonly sort?: GridSort | undefined;
  readonly onSort?: (columnId: string) => void;
  /** Rows marked for a bulk change; without it, rows cannot be marked. */
  readonly marked?: ReadonlySet<string>;
  readonly onMark?: (row: Row) => void;
  /** For rows that expand to show others below them. */
  readonly tree?: GridTree<Row>;
  /** Row heights, pixels, if they differ from those of other lists. */
  readonly heights?: RowHeights;
  /** Name under which widths and hidden columns are stored; without it, columns cannot be changed. */
  readonly keptAs?: string;
  /** Identifies the list's content: returning to the same list restores its scroll position. */
  readonly listKey?: string;
}

/** The hierarchy of rows; levels start at 1. */
export interface GridTree<Row> {
  readonly level: (row: Row) => number;
  /** Undefined for a row without children. */
  readonly isOpen: (row: Row) => boolean | undefined;
  readonly onToggle: (row: Row) => void;
}

/**
 * A grid of any length that renders only the rows in view. It is one tab stop: arrows, Home, End, Page Up and Page Down
 * (also J and K) move the cursor, Enter opens, X or Space marks; in a tree, the left and right arrows expand and
 * collapse.
 */
export function DataGrid<Row extends object>(props: DataGridProps<Row>): ReactNode {
  const { rowCount, rowAt, rowId, onShow, cursorId, onCursor, onOpen, marked, onMark, tree, keptAs } = props;
  const { listKey } = props;
  const gridId = useId();
  const kept = useColumns(keptAs ?? '', props.columns);
  const columns = keptAs === undefined ? props.columns : kept.columns;
  const scale = usePreference((preferences) => preferences.textSize) / 100;
  const density = usePreference((preferences) => preferences.density);
  const rowHeight = Math.round((props.heights ?? rowHeights)[density] * scale);
  const { leftLists } = useServices().preferences.getState();
  const [left] = useState(() => leftLists.get(listKey ?? '')?.cursor);
  const isAsLeft = left !== undefined && left.id === cursorId;
  const [cursor, setCursor] = useState<Cursor>(isAsLeft ? left : { index: 0, id: cursorId });
  const idAt = (index: number): string | undefined => {
    const row = rowAt(index);
    return row === undefined ? undefined : rowId(row);
  };
  const bounded = followCursor(cursor, rowCount, idAt);
  const { box, body, range, reveal } = useRowRange(rowHeight);
  const place =
    listKey === undefined ? undefined : { key: listKey, cursor: { index: bounded, id: cursorId } };
  useLeftList(box, place, rowCount > 0);
  const setOwn = useSeekRow({
    left: isAsLeft ? cursorId : undefined,
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

  // The list was replaced: the awaited row no longer exists
  if (cursor.isAwaited === true && rowCount === 0) setCursor({ index: 0, id: undefined });
  useAwaitedRow(cursor.isAwaited === true ? rowAt(cursor.index) : undefined, (row) => {
    setCursor({ index: cursor.index, id: rowId(row) });
    choose(row);
  });

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rowAt(bounded);
    const pageRows = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1);
    // While nothing is selected, the first step goes to the first row
    const from = cursor.id === undefined && cursor.index === 0 && cursor.isAwaited !== true ? -1 : bounded;
    const target = moveCursor(event.key, from, rowCount, pageRows);
    if (target !== undefined) moveTo(target);
    else if (isTreeKey(event, row)) tree?.onToggle(row);
    else if (event.key === 'Enter' && row !== undefined && onOpen !== undefined) onOpen(row);
    else if ((event.key === 'x' || event.key === ' ') && row !== undefined && onMark !== undefined)
      onMark(row);
    else return;
    event.preventDefault();
  }

  /** Whether a key toggles a row: Enter does; the arrow in reading direction expands it, the other one collapses it. */
  function isTreeKey({ key, currentTarget }: KeyboardEvent, row: Row | undefined): row is Row {
    const isOpen = row === undefined ? undefined : tree?.isOpen(row);
    if (isOpen === undefined) return false;
    const isRtl = getComputedStyle(currentTarget).direction === 'rtl';
    if (key === 'ArrowRight') return isOpen === isRtl;
    if (key === 'ArrowLeft') return isOpen !== isRtl;
    return key === 'Enter';
  }

  /** Handled by the grid: per-row handlers would make rows render again whenever they changed. */
  function onClick(event: MouseEvent): void {
    const index = rowIndexAt(event);
    if (index === undefined) return;
    const row = rowAt(index);
    if ((event.ctrlKey || event.metaKey) && row !== undefined && onMark !== undefined) onMark(row);
    else moveTo(index);
  }

  function onDoubleClick(event: MouseEvent): void {
    const row = rowAt(rowIndexAt(event) ?? -1);
    if (row !== undefined) (onOpen ?? tree?.onToggle)?.(row);
  }

  const { template, minWidth } = gridTracks(columns, scale);
  const cellsOf = useMemo(() => createCells(columns), [columns]);
  return (
    // The linter cannot tell which of the two roles applies
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      role={tree === undefined ? 'grid' : 'treegrid'}
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      aria-multiselectable={onMark !== undefined}
      aria-activedescendant={rowCount === 0 ? undefined : `${gridId}-${bounded}`}
      tabIndex={0}
      className={styles['grid']}
      style={{ '--row': `${rowHeight}px` }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
    >
      <GridHead
        columns={columns}
        template={template}
        minWidth={minWidth}
        sort={props.sort}
        onSort={props.onSort}
        onResize={keptAs === undefined ? undefined : kept.resize}
      />
      <div
        ref={body}
        role="rowgroup"
        className={styles['body']}
        style={{ height: rowCount * rowHeight, minWidth, '--tracks': template }}
      >
        {rowsToDraw(range, rowCount, bounded).map((index) => {
          const row = rowAt(index);
          const id = row === undefined ? undefined : rowId(row);
          return (
            <GridRow
              // A row kept only because the cursor is on it is not reused for other rows
              key={index === bounded && (index < first || index > last) ? 'cursor' : index - keyBase}
              id={`${gridId}-${index}`}
              index={index}
              top={index * rowHeight}
              isCursor={index === bounded}
              isSelected={id !== undefined && (id === cursorId || marked?.has(id) === true)}
              isMarked={id !== undefined && marked?.has(id) === true}
              level={row === undefined ? undefined : tree?.level(row)}
              isOpen={row === undefined ? undefined : tree?.isOpen(row)}
            >
              {cellsOf(row)}
            </GridRow>
          );
        })}
      </div>
    </div>
  );
}

/** The index of the pressed row; undefined outside the rows, as on a heading. */
function rowIndexAt({ target }: MouseEvent): number | undefined {
  const row = target instanceof Element ? target.closest('[role="row"][id]') : null;
  return row === null ? undefined : Number(row.ariaRowIndex) - 2;
}

/** Caches the cells of each row: a row that only moves or is selected does not render them again. */
function createCells<Row extends object>(
  columns: readonly GridColumn<Row>[],
): (row: Row | undefined) => ReactNode {
  const made = new WeakMap<Row, ReactNode>();
  const make = (row?: Row): ReactNode =>
    columns.map((column) => (
      <div key={column.id} role="gridcell" className={styles['cell']} data-align={column.align}>
        {row === undefined ? null : column.cell(row)}
      </div>
    ));
  const empty = make();
  return (row) => {
    if (row === undefined) return empty;
    const cells = made.get(row) ?? make(row);
    made.set(row, cells);
    return cells;
  };
}

interface GridRowProps {
  readonly id: string;
  readonly index: number;
  readonly top: number;
  readonly isCursor: boolean;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly level: number | undefined;
  readonly isOpen: boolean | undefined;
  readonly children: ReactNode;
}

/** A positioned row; rows that stay in view are not rendered again while scrolling. */
const GridRow = memo(function GridRow({ top, index, ...row }: GridRowProps): ReactNode {
  return (
    <div
      id={row.id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={row.isSelected}
      aria-level={row.level}
      aria-expanded={row.isOpen}
      data-cursor={row.isCursor || undefined}
      data-marked={row.isMarked || undefined}
      className={`${styles['row']} ${styles['placed']}`}
      style={{ top }}
    >
      {row.children}
    </div>
  );
});
