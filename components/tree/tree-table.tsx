import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { SnapshotDelta } from '@/components/data/deltas/snapshot-delta';
import { useFormat } from '@/components/data/format/use-format';
import { ColumnChooser } from '@/components/data-table/column-chooser';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { SelectionPlace } from '@/components/plans/selection-place';
import { PAGE_SIZE } from '@/components/reports/report-params';
import type { usePages } from '@/components/reports/use-pages';
import { Card } from '@/components/ui/card';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TreeReport } from '@/lib/model/reports/reports';
import type { ActiveNode } from './active/active-node';
import { useStable } from './active/use-stable';
import { NodeMenu } from './node-menu';
import { NodeName } from './node-name';
import { createRowMark, createRowProps, findTabStop, type NodeItem } from './row-focus';
import type { useNodeSelection } from './selection/use-node-selection';
import { getItemId, type ShownNode, type TreeItem, toBranchId, toTreeItems } from './tree-item';
import { findParent, toValuesPath } from './tree-path';
import { useOpenBranches } from './use-open-branches';
import type { TreeState } from './use-tree-state';

/** Offers what can be done with ticked nodes; it is loaded when the first one is ticked. */
const NodeSelectionBar = createLazyPart(() =>
  import('./selection/node-selection-bar').then((loaded) => loaded.NodeSelectionBar),
);

/** Loaded when a level has several pages. */
const Pager = createLazyPart(() => import('@/components/reports/pager').then((loaded) => loaded.Pager));

/** Loaded when a level has no nodes. */
const EmptyLevel = createLazyPart(() => import('./empty-level').then((loaded) => loaded.EmptyLevel));

/**
 * Scrolls no further than necessary. A browser scrolls a focused element to the middle, and half a screen of rows would
 * be rendered at one key press.
 */
function focusNearest(name: HTMLElement | null): void {
  name?.focus({ preventScroll: true });
  name?.closest('tr')?.scrollIntoView({ block: 'nearest' });
}

/**
 * One level as a table. A click on a name opens its level; the button before the name opens the rows below it in place.
 */
export function TreeTable(props: {
  instanceId: string;
  snapshotId: string;
  report: TreeReport;
  /** The level has all keys of a sealed snapshot, so its sums can be compared with the scan before. */
  isWhole: boolean;
  /** The report belongs to another query, until the answer comes. */
  stale: boolean;
  /** The columns between the name of a node and its menu. */
  figures: readonly DataColumn<TreeItem>[];
  state: TreeState;
  active: ActiveNode;
  onOpen: (node: ShownNode) => void;
  pages: ReturnType<typeof usePages>;
  ticked: ReturnType<typeof useNodeSelection>;
}) {
  const t = useTranslations('tree');
  const { instanceId, report, state, active, onOpen, figures } = props;
  const branches = useOpenBranches(props.snapshotId, state);
  const items = useMemo(() => toTreeItems(report, ''), [report]);
  const walkable = useMemo(
    () => listWalkable(flattenItems(items, branches.open, branches.rows)),
    [items, branches.open, branches.rows],
  );
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const go = useStable(state.go);
  const card = useRef<HTMLDivElement>(null);
  useKeptFocus(card, { active, path: state.path, isShown: !props.stale });

  const columns = useMemo(
    (): DataColumn<TreeItem>[] => [
      {
        id: 'name',
        header: t('column.name'),
        fixed: true,
        sort: 'name',
        expander: true,
        className: 'w-full min-w-40 max-w-0 sm:min-w-56 !pr-1',
        cell: (item, { reachable }) =>
          item.kind === 'node' ? (
            <NodeName
              node={item.node}
              delimiter={report.delimiter}
              focusable={reachable}
              onOpen={onOpen}
              onValues={go}
            />
          ) : item.kind === 'rest' ? (
            <Rest nodes={item.rest.nodes} onOpen={item.under === '' ? null : () => go(item.under)} />
          ) : (
            <span role="status" className="truncate" title={item.kind === 'failed' ? t('failed') : undefined}>
              {t(item.kind === 'failed' ? 'failed' : 'waiting')}
            </span>
          ),
      },
      ...figures,
      {
        id: 'actions',
        header: t('column.actions'),
        quiet: true,
        className: 'w-10 pl-0',
        cell: (item, { reachable }) =>
          item.kind === 'node' ? (
            <NodeMenu
              instanceId={instanceId}
              node={item.node}
              delimiter={report.delimiter}
              reachable={reachable}
              onOpen={item.node.branchKeys > 0 ? () => onOpen(item.node) : undefined}
              onValues={item.node.folds ? () => go(toValuesPath(item.node.start, report.delimiter)) : undefined}
            />
          ) : null,
      },
    ],
    [t, figures, instanceId, report.delimiter, onOpen, go],
  );
  const rowProps = useMemo(() => createRowProps(active), [active]);
  const mark = useMemo(() => createRowMark(active, walkable), [active, walkable]);
  const findKeptId = () => {
    const item = findTabStop(active, walkable);
    return item === undefined ? null : getItemId(item);
  };

  function onKeyDown(event: KeyboardEvent<HTMLTableSectionElement>) {
    const body = event.currentTarget;
    const path = (document.activeElement as HTMLElement | null)?.dataset.node;
    const at = walkable.findIndex(({ node }) => node.path === path);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const focus = (next: string | undefined) => {
      if (next === undefined) return;
      active.focus(next);
      const findName = () => body.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"]`);
      // A row outside of the visible part is rendered only if the keyboard is on it, so render the rows again.
      if (findName() === null) flushSync(renderAgain);
      focusNearest(findName());
    };
    if (event.key === 'Backspace') state.up();
    else if (path === undefined || at < 0) return;
    else if (step !== undefined) focus(walkable[Math.max(0, Math.min(walkable.length - 1, at + step))]?.node.path);
    else if (event.key === 'ArrowRight' && path.endsWith(report.delimiter)) branches.toggle(toBranchId(path), true);
    else if (event.key === 'ArrowLeft') {
      if (branches.open.has(toBranchId(path))) branches.toggle(toBranchId(path), false);
      else focus(walkable.find(({ node }) => node.path === findParent(path, report.delimiter))?.node.path);
    } else return;
    event.preventDefault();
  }

  return (
    <Card ref={card} className="@container flex flex-col">
      <SelectionPlace
        bar={props.ticked.nodes.length > 0 ? <NodeSelectionBar instanceId={instanceId} ticked={props.ticked} /> : null}
        beside={<ColumnChooser table="tree" columns={figures} />}
        className="pl-4"
      >
        <LevelSummary report={report}>
          {props.isWhole ? <SnapshotDelta snapshotId={props.snapshotId} of={{ measure: 'keys' }} as="compact" /> : null}
        </LevelSummary>
      </SelectionPlace>
      <DataTable
        id="tree"
        label={t('table', { path: state.path || t('root') })}
        className="max-h-[max(24rem,calc(100dvh-21.5rem))] overflow-y-auto rounded-b-lg [scroll-padding-top:2.5rem]"
        tableClassName="[&_td]:px-2 [&_th]:px-2 max-sm:[&_td]:first:pl-2 max-sm:[&_th]:first:pl-2"
        columns={columns}
        rows={items}
        rowId={getItemId}
        // The server does not support every sort order for a very wide level: the report says by what it is sorted.
        order={{ sort: report.sort, onSort: (sort) => state.set({ sort }), byServer: true }}
        expansion={{
          open: branches.open,
          onToggle: branches.toggle,
          canOpen: (item) => item.kind === 'node' && item.node.branchKeys > 0,
          rows: branches.rows,
          label: (item) => t('openHere', { name: item.kind === 'node' ? item.node.path : '' }),
        }}
        selection={props.ticked.table}
        empty={state.match ? t(state.fold ? 'noMatchFolded' : 'noMatch') : <EmptyLevel />}
        kept={findKeptId}
        bodyProps={{ onKeyDown }}
        mark={mark}
        rowProps={rowProps}
      />
      {report.childCount > report.children.length ? (
        <Pager
          pages={{ ...props.pages, page: report.offset / PAGE_SIZE }}
          pageSize={PAGE_SIZE}
          shown={report.children.length}
          total={report.childCount}
          nextCursor={report.nextCursor}
          jumps
        />
      ) : null}
    </Card>
  );
}

/** Number of keys and memory of the level. */
function LevelSummary({ report, children }: { report: TreeReport; children: ReactNode }) {
  const t = useTranslations('tree');
  const r = useTranslations('filters.report');
  const f = useFormat();
  const known = t('summary', {
    keys: report.keys,
    bytes: f.bytes(toKnownBytes(report)),
    count: report.childCount,
  });
  const text = report.bytesUnknown > 0 ? `${known} · ${r('unknownSize', { count: report.bytesUnknown })}` : known;
  return (
    <p className="num truncate text-muted-foreground text-xs" title={text}>
      {text} {children}
    </p>
  );
}

/** The lines in the order in which they are shown. */
function flattenItems(
  items: readonly TreeItem[],
  open: ReadonlySet<string>,
  rows: ReadonlyMap<string, readonly TreeItem[]>,
): TreeItem[] {
  return items.flatMap((item) => {
    const below = open.has(getItemId(item)) ? rows.get(getItemId(item)) : undefined;
    return [item, ...(below ? flattenItems(below, open, rows) : [])];
  });
}

/**
 * The rows that the arrow keys reach. If a key has the same path as its branch (`user:`), only the first of the two is
 * included, otherwise the arrow keys would stop there.
 */
function listWalkable(items: readonly TreeItem[]): NodeItem[] {
  const nodes = items.filter((item) => item.kind === 'node');
  const first = new Map(nodes.toReversed().map((item) => [item.node.path, item]));
  return nodes.filter((item) => first.get(item.node.path) === item);
}

/** The number of nodes that are not listed. `onOpen` opens their level; null: they are on other pages of this level. */
function Rest({ nodes, onOpen }: { nodes: number; onOpen: (() => void) | null }) {
  const t = useTranslations('tree');
  const text = t('rest', { count: nodes });
  if (onOpen === null)
    return (
      <span className="truncate" title={t('restHint')}>
        {text}
      </span>
    );
  return (
    <button type="button" className="truncate rounded text-accent hover:underline" onClick={onOpen}>
      {text}
    </button>
  );
}

/**
 * Another level, or another page of it, is another table. If the keyboard focus was in the former table, it moves to
 * the first node of the new one, or back to the node that was opened before, so that it is not lost.
 * `path`: the path of the level. `isShown`: the rows are those of this level.
 */
function useKeptFocus(
  table: RefObject<HTMLElement | null>,
  { active, path, isShown }: { active: ActiveNode; path: string; isShown: boolean },
): void {
  useLayoutEffect(() => {
    const element = table.current;
    return () => {
      if (element?.contains(document.activeElement)) active.rememberLevel(path);
    };
  }, [table, active, path]);
  useEffect(() => {
    if (!isShown) return;
    const former = active.takeRememberedLevel();
    // If the focus has moved elsewhere meanwhile, leave it there.
    if (former === null || document.activeElement !== document.body) return;
    const names = [...(table.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])];
    const name = names.find(({ dataset }) => former !== '' && dataset.node?.startsWith(former)) ?? names[0];
    name?.focus({ preventScroll: true });
  }, [table, active, isShown]);
}
