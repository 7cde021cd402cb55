import { Copy, X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { PlanButton } from '@/components/plans/plan-button';
import { useSizeText } from '@/components/plans/use-size-text';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/overlays/toast';
import { putOnClipboard } from '@/components/ui/use-copied';
import { toVisibleText } from '@/components/ui/visible-text';
import type { useNodeSelection } from './use-node-selection';

/** The selected nodes of the tree and what can be done with them. It is hidden while nothing is selected. */
export function NodeSelectionBar(props: { instanceId: string; ticked: ReturnType<typeof useNodeSelection> }) {
  const t = useTranslations('tree');
  const plans = useTranslations('deletions.new');
  const f = useFormat();
  const formatSize = useSizeText();
  const { nodes, selection, clear, max, totals } = props.ticked;
  if (nodes.length === 0) return null;
  const sums = `${t('selectedKeys', { count: totals.keys })} · ${formatSize(totals)}`;
  const text = `${t('selected', { count: nodes.length })} · ${sums}`;
  const tooMany = t('selectedTooMany', { max: f.number(max) });
  const copy = async () => {
    if (await putOnClipboard(nodes.map((node) => node.path).join('\n')))
      toast.success(plans('namesCopied', { count: nodes.length }));
    else toast.error(plans('namesNotCopied'));
  };
  return (
    <section aria-label={text} className="flex min-w-0 flex-1 items-center gap-2">
      {/* The title names all nodes, because some may be on other levels than the visible one. */}
      <span
        className="num min-w-0 truncate font-medium"
        title={nodes.map((node) => toVisibleText(node.path)).join('\n')}
      >
        <span aria-hidden className="@lg:hidden">
          {f.compact(totals.keys)} · {formatSize(totals)}
        </span>
        <span className="@max-lg:sr-only">{text}</span>
      </span>
      {selection === null ? (
        <span className="min-w-0 truncate text-muted-foreground text-xs" title={tooMany}>
          {tooMany}
        </span>
      ) : null}
      <PlanButton instanceId={props.instanceId} selection={selection} variant="primary">
        {t('planSelected')}
      </PlanButton>
      <Button size="sm" onClick={() => void copy()} className="@max-2xl:px-1.5" title={t('copyPaths')}>
        <Copy aria-hidden />
        <span className="@max-2xl:sr-only">{t('copyPaths')}</span>
      </Button>
      <Button size="sm" variant="ghost" onClick={clear} className="@max-2xl:px-1.5" title={plans('clear')}>
        <X aria-hidden className="@2xl:hidden" />
        <span className="@max-2xl:sr-only">{plans('clear')}</span>
      </Button>
    </section>
  );
}
