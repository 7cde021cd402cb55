'use client';
import { useTranslations } from 'use-intl';
import type { Selection } from '@/lib/model/deletions/plan-request';
import { PlanButton } from './plan-button';

/** For a whole filtered list: remove all of it, or give it expiries. A live snapshot has no list to freeze. */
export function FilterPlanButtons(props: {
  instanceId: string;
  selection: Omit<Extract<Selection, { by: 'filter' }>, 'by'>;
}) {
  const t = useTranslations('deletions.new');
  const { instanceId } = props;
  const selection = { by: 'filter' as const, ...props.selection };
  return (
    <>
      <PlanButton instanceId={instanceId} selection={selection}>
        {t('planThese')}
      </PlanButton>
      <PlanButton instanceId={instanceId} selection={selection} start={{ task: 'expire' }}>
        {t('expireThese')}
      </PlanButton>
    </>
  );
}
