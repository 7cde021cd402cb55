import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import type { TreeNode } from '@/lib/model/reports/reports';
import { SegmentName } from './segment-name';

/** A click opens the level, or lists the key that ends here. */
export function NodeName(props: {
  node: TreeNode;
  delimiter: string;
  focusable: boolean;
  onActive: (path: string | null) => void;
  onOpen: (node: TreeNode) => void;
}) {
  const t = useTranslations('tree');
  const f = useFormat();
  const { node } = props;
  const branch = node.branchKeys > 0;
  return (
    <button
      type="button"
      data-node={node.path}
      tabIndex={props.focusable ? 0 : -1}
      onClick={() => props.onOpen(node)}
      onFocus={() => props.onActive(node.path)}
      title={
        branch && node.leafKeys > 0
          ? t('leafAndBranch', { leaf: f.number(node.leafKeys), branch: f.number(node.branchKeys) })
          : branch
            ? undefined
            : t('leaf')
      }
      className="flex min-w-0 flex-1 items-center gap-1.5 rounded text-left hover:text-accent"
    >
      <SegmentName segment={node.segment} />
      {branch ? <span className="-ml-1 shrink-0 font-mono text-muted-foreground">{props.delimiter}</span> : null}
      {node.folded !== null ? (
        <span
          className="num shrink-0 text-muted-foreground text-xs"
          title={t('foldedCount', { count: f.number(node.folded) })}
        >
          ×{f.compact(node.folded)}
        </span>
      ) : null}
    </button>
  );
}
