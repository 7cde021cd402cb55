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
import { isNarrowing } from '@/lib/model/is-narrowing';
import { LazyPlanDialog } from './lazy-plan-dialog';
import { PlanButton } from './plan-button';

const BOTH: readonly DeletionTask[] = ['delete', 'expire'];
/** Labels by task: with the number of keys, before the number is known, if there are no keys, and for all keys. */
const LABELS = {
  delete: { counted: 'planSelected', these: 'planThese', none: 'planKey', every: 'planEvery' },
  expire: { counted: 'expireSelected', these: 'expireThese', none: 'expireThese', every: 'expireEvery' },
} as const;

/**
 * Plans a deletion or expiries for a whole filtered list. The first button shows the number of keys. Without a filter
 * the list is the whole database, which nobody expects from the first button of a page; a separate menu plans that.
 */
export function FilterPlanButtons(props: {
  instanceId: string;
  selection: Omit<Extract<Selection, { by: 'filter' }>, 'by'>;
  /** Number of keys under the filter; null: not known yet. */
  count: number | null;
  /** The tasks that are offered, if the page is about only one of them. */
  tasks?: readonly DeletionTask[];
}) {
  const t = useTranslations('deletions.new');
  const reasonId = useId();
  const { instanceId, count, tasks = BOTH } = props;
  const selection = { by: 'filter' as const, ...props.selection };
  const may = useMay('deletion.run', instanceId);
  if (!may)
    return (
      <May permission="deletion.run" instanceId={instanceId} reason>
        {tasks.map((task) => (
          <Button key={task} size="sm">
            {t(LABELS[task].these)}
          </Button>
        ))}
      </May>
    );
  if (isNarrowing(selection.filter))
    return tasks.map((task, i) => (
      <PlanButton key={task} instanceId={instanceId} selection={count === 0 ? null : selection} start={{ task }}>
        {count === 0
          ? t(LABELS[task].none)
          : count === null || i > 0
            ? t(LABELS[task].these)
            : t(LABELS[task].counted, { count })}
      </PlanButton>
    ));
  return (
    <>
      <span id={reasonId} className="sr-only">
        {t('narrowFirst')}
      </span>
      {tasks.map((task) => (
        <span key={task} title={t('narrowFirst')} className="inline-flex">
          <Button size="sm" disabled aria-describedby={reasonId}>
            {t(LABELS[task].these)}
          </Button>
        </span>
      ))}
      <EveryKeyMenu instanceId={instanceId} selection={selection} tasks={tasks} />
    </>
  );
}

/** The menu that plans all keys of the database. */
function EveryKeyMenu(props: { instanceId: string; selection: Selection; tasks: readonly DeletionTask[] }) {
  const { instanceId, selection, tasks } = props;
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
          {tasks.map((offered) => (
            <DropdownMenuItem key={offered} onSelect={() => setTask(offered)}>
              {t(LABELS[offered].every)}
            </DropdownMenuItem>
          ))}
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
