import { Ellipsis } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { Button } from '@/components/ui/button';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import type { DeletionTask, Selection } from '@/lib/model/deletions/plan-request';
import { narrows } from '@/lib/model/narrows';
import { LazyPlanDialog } from './lazy-plan-dialog';
import { PlanButton } from './plan-button';

/**
 * For a whole filtered list: remove all of it, or give it expiries. A live snapshot has no list to freeze. Without a
 * filter the list is the whole database, which nobody means by the first button of a page: that has a way of its own.
 */
export function FilterPlanButtons(props: {
  instanceId: string;
  selection: Omit<Extract<Selection, { by: 'filter' }>, 'by'>;
  /** Keys under the filter; null: not known yet. */
  count: number | null;
}) {
  const t = useTranslations('deletions.new');
  const why = useId();
  const { instanceId, count } = props;
  const selection = { by: 'filter' as const, ...props.selection };
  const may = useMay('deletion.run', instanceId);
  if (!may)
    return (
      <May permission="deletion.run" instanceId={instanceId} reason>
        {null}
      </May>
    );
  if (narrows(selection.filter))
    return (
      <>
        <PlanButton instanceId={instanceId} selection={selection}>
          {count === null ? t('planThese') : t('planSelected', { count })}
        </PlanButton>
        <PlanButton instanceId={instanceId} selection={selection} start={{ task: 'expire' }}>
          {t('expireThese')}
        </PlanButton>
      </>
    );
  return (
    <>
      <span id={why} className="sr-only">
        {t('narrowFirst')}
      </span>
      {(['planThese', 'expireThese'] as const).map((label) => (
        <span key={label} title={t('narrowFirst')} className="inline-flex">
          <Button size="sm" disabled aria-describedby={why}>
            {t(label)}
          </Button>
        </span>
      ))}
      <EveryKey instanceId={instanceId} selection={selection} />
    </>
  );
}

function EveryKey({ instanceId, selection }: { instanceId: string; selection: Selection }) {
  const t = useTranslations('deletions.new');
  const [task, setTask] = useState<DeletionTask | null>(null);
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button size="iconSm" variant="ghost" aria-label={t('everyMenu')}>
            <Ellipsis aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem onSelect={() => setTask('delete')}>{t('planEvery')}</DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setTask('expire')}>{t('expireEvery')}</DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      {task ? (
        <LazyPlanDialog
          instanceId={instanceId}
          selection={selection}
          start={{ task }}
          open
          onOpenChange={(open) => {
            if (!open) setTask(null);
          }}
        />
      ) : null}
    </>
  );
}
