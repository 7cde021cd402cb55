import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CopyNamesMenu } from './copy-names-menu';
import { PlanButton } from './plan-button';
import type { useSelection } from './use-selection';

/** What is ticked, and what can be done with it. Not there while nothing is; a plan takes the ticks with it. */
export function SelectionBar(props: { instanceId: string } & ReturnType<typeof useSelection>) {
  const t = useTranslations('deletions.new');
  if (props.count === 0) return null;
  return (
    <section
      aria-label={t('selected', { count: props.count })}
      className="flex flex-wrap items-center gap-2 border-b bg-accent-soft px-4 py-2"
    >
      <span className="num font-medium">{t('selected', { count: props.count })}</span>
      <PlanButton instanceId={props.instanceId} selection={props.selection} variant="primary" onMade={props.clear}>
        {t('planSelected', { count: props.count })}
      </PlanButton>
      <CopyNamesMenu names={props.names} />
      <Button size="sm" variant="ghost" onClick={props.clear}>
        {t('clear')}
      </Button>
    </section>
  );
}
