import { Copy } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/overlays/toast';
import { PlanButton } from './plan-button';
import type { useSelection } from './use-selection';

/** What is ticked, and what can be done with it. Not there while nothing is. Names are copied as they are shown. */
export function SelectionBar(props: { instanceId: string } & ReturnType<typeof useSelection>) {
  const t = useTranslations('deletions.new');
  if (props.count === 0) return null;
  const copy = () =>
    navigator.clipboard.writeText(props.names().join('\n')).then(
      () => toast.success(t('namesCopied', { count: props.count })),
      // No clipboard without https.
      () => toast.error(t('namesNotCopied')),
    );
  return (
    <section
      aria-label={t('selected', { count: props.count })}
      className="flex flex-wrap items-center gap-2 border-b bg-accent-soft px-4 py-2"
    >
      <span className="num font-medium">{t('selected', { count: props.count })}</span>
      <PlanButton instanceId={props.instanceId} selection={props.selection} variant="primary">
        {t('planSelected', { count: props.count })}
      </PlanButton>
      <Button size="sm" onClick={() => void copy()}>
        <Copy aria-hidden />
        {t('copyNames')}
      </Button>
      <Button size="sm" variant="ghost" onClick={props.clear}>
        {t('clear')}
      </Button>
    </section>
  );
}
