import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import type { DataColumn } from '@/components/data-table/data-column';
import { ShareCell } from '@/components/reports/share-cell';
import { TypeMix } from '@/components/reports/type-mix';
import { toKnownBytes } from '@/lib/model/keys/known-bytes';
import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';
import type { TreeItem } from './tree-item';

// The widths of the table below which a column is hidden.
/** Figures that the tooltip of the treemap shows too are hidden first. */
const WIDE = '@max-4xl:hidden';
/** The treemap next to the table shows types and shares, too, and names need the width. */
const HALF = '@max-3xl:hidden';
const MEDIUM = '@max-lg:hidden';

const readFromNode =
  <T,>(read: (node: TreeNode) => T) =>
  (item: TreeItem) =>
    item.kind === 'node' ? read(item.node) : null;

/** The columns of figures of a node; the table adds the name and the menu. The server sorts. */
export function useTreeColumns(report: TreeReport, measure: 'keys' | 'bytes'): DataColumn<TreeItem>[] {
  const t = useTranslations('tree');
  const f = useFormat();
  return useMemo(() => {
    const total = report[measure];
    return [
      {
        id: 'keys',
        header: t('column.keys'),
        num: true,
        sort: 'keys',
        cell: (item) =>
          item.kind === 'rest' ? (
            f.number(item.rest.keys)
          ) : item.kind === 'node' ? (
            <Value value={item.node.keys} as="compact" />
          ) : null,
      },
      {
        id: 'bytes',
        header: t('column.bytes'),
        num: true,
        sort: 'bytes',
        cell: (item) =>
          item.kind === 'rest' ? (
            f.bytes(toKnownBytes(item.rest))
          ) : item.kind === 'node' ? (
            <Value value={toKnownBytes(item.node)} as="bytes" />
          ) : null,
      },
      {
        id: 'share',
        header: t('column.share'),
        sort: `share${measure}`,
        descFirst: true,
        hide: HALF,
        cell: readFromNode((node) => <ShareCell share={total > 0 ? node[measure] / total : null} barClass="w-9" />),
      },
      {
        id: 'avg',
        header: t('column.avg'),
        num: true,
        sort: 'avg',
        hide: WIDE,
        cell: readFromNode((node) => <Value value={node.avgBytes} as="bytes" />),
      },
      {
        id: 'max',
        header: t('column.max'),
        num: true,
        sort: 'max',
        hide: WIDE,
        cell: readFromNode((node) => <Value value={node.maxBytes} as="bytes" />),
      },
      {
        id: 'noExpiry',
        header: t('column.noExpiry'),
        num: true,
        sort: 'noexpiry',
        hide: MEDIUM,
        cell: readFromNode((node) => f.shareOf(node.noExpiry, node.keys)),
      },
      {
        id: 'ttl',
        header: t('column.ttl'),
        num: true,
        sort: 'ttl',
        hide: WIDE,
        cell: readFromNode((node) => <Value value={node.ttlP50Seconds} as="seconds" />),
      },
      {
        id: 'types',
        header: t('column.types'),
        sort: 'types',
        descFirst: true,
        hide: HALF,
        cell: readFromNode((node) => <TypeMix types={node.types} className="h-2 w-12" />),
      },
      {
        id: 'bigkeys',
        header: t('column.bigkeys'),
        num: true,
        sort: 'bigkeys',
        hide: MEDIUM,
        getClass: readFromNode((node) => (node.bigkeys === 0 ? 'text-muted-foreground' : 'font-medium')),
        cell: readFromNode((node) => f.number(node.bigkeys)),
      },
      {
        id: 'findings',
        header: t('column.findings'),
        num: true,
        sort: 'findings',
        hide: MEDIUM,
        cell: readFromNode((node) => <Findings node={node} />),
      },
    ];
  }, [t, f, report, measure]);
}

function Findings({ node: { findings, keys } }: { node: TreeNode }) {
  const t = useTranslations('tree');
  const f = useFormat();
  if (!findings) return <Value value={null} as="number" />;
  return (
    <span
      className={findings.mandatory > 0 ? 'font-medium text-danger' : 'text-muted-foreground'}
      title={t('findingsHint', {
        mandatory: f.number(findings.mandatory),
        recommended: f.number(findings.recommended),
        advice: f.number(findings.advice),
      })}
    >
      {f.shareOf(findings.mandatory, keys)}
    </span>
  );
}
