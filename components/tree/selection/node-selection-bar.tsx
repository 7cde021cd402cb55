import { Copy } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { PlanButton } from '@/components/plans/plan-button';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/overlays/toast';
import { putOnClipboard } from '@/components/ui/use-copied';
import { visibleText } from '@/components/ui/visible-text';
import type { useNodeSelection } from './use-node-selection';

/** What is ticked in the tree, and what can be done with it. Not there while nothing is. */
export function NodeSelectionBar(props: { instanceId: string; ticked: ReturnType<typeof useNodeSelection> }) {
  const t = useTranslations('tree');
  const plans = useTranslations('deletions.new');
  const f = useFormat();
  const { nodes, selection, clear, max } = props.ticked;
  if (nodes.length === 0) return null;
  const text = t('selected', { count: nodes.length });
  const copy = async () => {
    if (await putOnClipboard(nodes.map((node) => node.path).join('\n')))
      toast.success(plans('namesCopied', { count: nodes.length }));
    else toast.error(plans('namesNotCopied'));
  };
  return (
    <section
      aria-label={text}
      className="flex flex-wrap items-center gap-2 rounded-t-lg border-b bg-accent-soft px-4 py-2"
    >
      {/* Some may be on other levels than the one in sight. */}
      <span className="num font-medium" title={nodes.map((node) => visibleText(node.path)).join('\n')}>
        {text}
      </span>
      {selection === null ? (
        <span className="text-muted-foreground text-xs">{t('selectedTooMany', { max: f.number(max) })}</span>
      ) : null}
      <PlanButton instanceId={props.instanceId} selection={selection} variant="primary">
        {t('planSelected')}
      </PlanButton>
      <Button size="sm" onClick={() => void copy()}>
        <Copy aria-hidden />
        {t('copyPaths')}
      </Button>
      <Button size="sm" variant="ghost" onClick={clear}>
        {plans('clear')}
      </Button>
    </section>
  );
}
