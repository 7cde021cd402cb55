import { Fragment } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { toVisibleText } from '@/components/ui/visible-text';
import { SegmentName } from './segment-name';
import { MAX_TITLE, type ShownNode } from './tree-item';
import { splitCrumbs, toValuesPath } from './tree-path';

/**
 * The name of a node. A click opens its level, or lists the key that ends here. The number of ids that a folded node
 * stands for is a button of its own, which opens their list.
 */
export function NodeName(props: {
  node: ShownNode;
  delimiter: string;
  focusable: boolean;
  onOpen: (node: ShownNode) => void;
  /** Opens the level of the values of a folded node. */
  onValues: (path: string) => void;
}) {
  const t = useTranslations('tree');
  const f = useFormat();
  const { node, delimiter } = props;
  const branch = node.branchKeys > 0;
  // The segments that all names below the node have in common: the row shows them as well, joined by arrows.
  const shared = splitCrumbs(node.path.slice(node.start.length), delimiter);
  const sign = branch ? <span className="-ml-1 shrink-0 font-mono text-muted-foreground">{delimiter}</span> : null;
  const tabIndex = props.focusable ? 0 : -1;
  const button = (
    <button
      type="button"
      data-node={node.path}
      tabIndex={tabIndex}
      onClick={() => props.onOpen(node)}
      title={
        shared.length > 0
          ? t('onlyWay', { path: toVisibleText(node.path.slice(0, MAX_TITLE)) })
          : branch && node.leafKeys > 0
            ? t('leafAndBranch', { leaf: node.leafKeys, branch: node.branchKeys })
            : branch
              ? undefined
              : t('leaf')
      }
      className="flex min-w-0 items-center gap-1.5 rounded text-left hover:text-accent"
    >
      {node.begins === '' ? null : (
        <span className="shrink-0 font-mono" title={t('begins', { text: toVisibleText(node.begins) })}>
          {node.begins}…
        </span>
      )}
      {shared.length === 0 ? (
        <>
          <SegmentName segment={node.segment} isName={node.path === ''} />
          {sign}
        </>
      ) : (
        // The parts are one line of text: as separate elements all of them would be cut to nothing in a narrow column.
        <span className="truncate">
          {[{ segment: node.segment, path: '' }, ...shared].map(({ segment, path }) => (
            <Fragment key={path}>
              {path === '' ? null : (
                <span aria-hidden className="mx-1.5 text-muted-foreground">
                  →
                </span>
              )}
              <SegmentName segment={segment} inline />
              <span className="font-mono text-muted-foreground max-sm:sr-only">{delimiter}</span>
            </Fragment>
          ))}
        </span>
      )}
    </button>
  );
  if (node.folded === null) return button;
  const count = t('showValues', { count: f.number(node.folded), segment: node.segment });
  return (
    <>
      {button}
      <button
        type="button"
        tabIndex={tabIndex}
        className="num shrink-0 rounded px-1 text-muted-foreground text-xs underline decoration-dotted underline-offset-2 hover:text-accent"
        aria-label={count}
        title={count}
        onClick={() => props.onValues(toValuesPath(node.start, delimiter))}
      >
        {shared.length > 0 ? `${node.segment} ` : ''}×{f.compact(node.folded)}
      </button>
    </>
  );
}
