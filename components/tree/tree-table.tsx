'use client';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Card } from '@/components/ui/card';
import { SortTh, Table, TableScroll, TBody, THead, Th } from '@/components/ui/table';
import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { TREE_COLUMNS } from './tree-columns';
import { TreeRow } from './tree-row';
import type { TreeState } from './use-tree-state';

export function TreeTable(props: {
  instanceId: string;
  report: TreeReport;
  state: TreeState;
  activePath: string | null;
  onActive: (path: string | null) => void;
  onOpen: (node: TreeNode) => void;
}) {
  const t = useTranslations('tree');
  const f = useFormat();
  const body = useRef<HTMLTableSectionElement>(null);
  const { report, state } = props;
  const focusable = report.children.some((node) => node.path === props.activePath)
    ? props.activePath
    : report.children[0]?.path;

  function onKeyDown(event: KeyboardEvent) {
    const names = [...(body.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])];
    const at = names.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Backspace') state.up();
    else if (step !== undefined && at >= 0) {
      const next = names[Math.max(0, Math.min(names.length - 1, at + step))];
      next?.focus();
      props.onActive(next?.dataset.node ?? null);
    } else return;
    event.preventDefault();
  }

  return (
    <Card className="@container flex flex-col">
      <TableScroll
        label={t('table', { path: state.path || t('root') })}
        className="max-h-[max(24rem,calc(100dvh-16rem))] overflow-y-auto rounded-lg"
      >
        <Table className="[&_td]:px-2 [&_td]:first:pl-4 [&_th]:px-2 [&_th]:first:pl-4">
          <THead className="sticky top-0 z-10 border-b-0 bg-surface shadow-[inset_0_-1px_0_var(--border)]">
            <tr>
              <SortTh name="name" sort={state.sort} onSort={(sort) => state.set({ sort })}>
                {t('column.name')}
              </SortTh>
              {TREE_COLUMNS.map((column) =>
                'sort' in column ? (
                  <SortTh
                    key={column.id}
                    name={column.sort}
                    right
                    sort={state.sort}
                    onSort={(sort) => state.set({ sort })}
                    className={column.className}
                  >
                    {t(`column.${column.id}`)}
                  </SortTh>
                ) : (
                  <Th key={column.id} className={column.className}>
                    {t(`column.${column.id}`)}
                  </Th>
                ),
              )}
              <Th>
                <span className="sr-only">{t('column.actions')}</span>
              </Th>
            </tr>
          </THead>
          <TBody ref={body} onKeyDown={onKeyDown}>
            {report.children.map((node) => (
              <TreeRow
                key={node.path + (node.branchKeys > 0 ? '/' : '')}
                instanceId={props.instanceId}
                node={node}
                report={report}
                measure={report.bytes > 0 ? state.size : 'keys'}
                active={node.path === props.activePath}
                focusable={node.path === focusable}
                onActive={props.onActive}
                onOpen={props.onOpen}
              />
            ))}
            {report.rest ? (
              <tr className="text-muted-foreground" title={t('restHint')}>
                <td className="h-9 pr-3 pl-4">{t('rest', { count: report.rest.nodes })}</td>
                <td className="num px-3 text-right">{f.number(report.rest.keys)}</td>
                <td className="num px-3 text-right">{f.bytes(report.rest.bytes)}</td>
                <td colSpan={9} />
              </tr>
            ) : null}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
