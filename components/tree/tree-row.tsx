'use client';
import { ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ShareBar } from '@/components/charts/share-bar';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { TypeMix } from '@/components/reports/type-mix';
import { cn } from '@/components/ui/cn';
import { Td } from '@/components/ui/table';
import type { TreeNode, TreeReport } from '@/lib/model/reports/reports';
import { NodeMenu } from './node-menu';
import { SegmentName } from './segment-name';
import { TREE_COLUMNS } from './tree-columns';

const [KEYS, BYTES, SHARE, AVG, MAX, NO_EXPIRY, TTL, TYPES, BIGKEYS, FINDINGS] = TREE_COLUMNS.map(
  (column) => column.className,
);

export function TreeRow(props: {
  instanceId: string;
  node: TreeNode;
  report: TreeReport;
  measure: 'keys' | 'bytes';
  active: boolean;
  focusable: boolean;
  onActive: (path: string | null) => void;
  onOpen: (node: TreeNode) => void;
}) {
  const t = useTranslations('tree');
  const f = useFormat();
  const { node, report, measure } = props;
  const branch = node.branchKeys > 0;
  const share = report[measure] > 0 ? node[measure] / report[measure] : 0;
  const both = branch && node.leafKeys > 0;
  return (
    <tr
      className={cn('border-b transition-colors', props.active ? 'bg-hover' : 'hover:bg-hover/60')}
      onMouseEnter={() => props.onActive(node.path)}
      onMouseLeave={() => props.onActive(null)}
    >
      <Td className="w-[30%] min-w-36 max-w-0 !pr-1">
        <button
          type="button"
          data-node={node.path}
          tabIndex={props.focusable ? 0 : -1}
          onClick={() => props.onOpen(node)}
          onFocus={() => props.onActive(node.path)}
          title={
            both
              ? t('leafAndBranch', { leaf: f.number(node.leafKeys), branch: f.number(node.branchKeys) })
              : branch
                ? undefined
                : t('leaf')
          }
          className="group flex w-full min-w-0 items-center gap-1.5 rounded text-left hover:text-accent"
        >
          {branch ? (
            <ChevronRight className="size-3.5 shrink-0 text-muted-foreground group-hover:text-accent" aria-hidden />
          ) : (
            <span aria-hidden className="mx-1.25 size-1 shrink-0 rounded-full bg-muted-foreground" />
          )}
          <SegmentName segment={node.segment} />
          {branch ? <span className="-ml-1 shrink-0 font-mono text-muted-foreground">{report.delimiter}</span> : null}
          {node.folded !== null ? (
            <span
              className="num shrink-0 text-muted-foreground text-xs"
              title={t('foldedCount', { count: f.number(node.folded) })}
            >
              ×{f.compact(node.folded)}
            </span>
          ) : null}
        </button>
      </Td>
      <Td num className={KEYS}>
        <Value value={node.keys} as="compact" />
      </Td>
      <Td num className={BYTES}>
        <Value value={node.keys > node.bytesUnknown ? node.bytes : null} as="bytes" />
      </Td>
      <Td className={SHARE}>
        <span className="flex items-center gap-2">
          <span className="w-9 @max-2xl:hidden">
            <ShareBar share={share} />
          </span>
          <span className="num w-11 text-right text-muted-foreground text-xs">{f.share(share)}</span>
        </span>
      </Td>
      <Td num className={AVG}>
        <Value value={node.avgBytes} as="bytes" />
      </Td>
      <Td num className={MAX}>
        <Value value={node.maxBytes} as="bytes" />
      </Td>
      <Td num className={NO_EXPIRY}>
        {f.shareOf(node.noExpiry, node.keys)}
      </Td>
      <Td num className={TTL}>
        <Value value={node.ttlP50Seconds} as="seconds" />
      </Td>
      <Td className={TYPES}>
        <TypeMix types={node.types} className="h-2 w-12" />
      </Td>
      <Td num className={cn(BIGKEYS, node.bigkeys === 0 ? 'text-muted-foreground' : 'font-medium')}>
        {f.number(node.bigkeys)}
      </Td>
      <Td num className={FINDINGS}>
        {node.findings ? (
          <span
            className={node.findings.mandatory > 0 ? 'font-medium text-danger' : 'text-muted-foreground'}
            title={t('findingsHint', {
              mandatory: f.number(node.findings.mandatory),
              recommended: f.number(node.findings.recommended),
              advice: f.number(node.findings.advice),
            })}
          >
            {f.shareOf(node.findings.mandatory, node.keys)}
          </span>
        ) : (
          <Value value={null} as="number" />
        )}
      </Td>
      <Td className="w-10 pl-0">
        <NodeMenu instanceId={props.instanceId} node={node} onOpen={branch ? () => props.onOpen(node) : undefined} />
      </Td>
    </tr>
  );
}
