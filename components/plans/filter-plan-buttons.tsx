'use client';
import { useTranslations } from 'use-intl';
import type { KeyFilter } from '@/lib/model/filter';
import { PlanButton } from './plan-button';

/** For a whole filtered list: remove all of it, or give it expiries. A live snapshot has no list to freeze. */
export function FilterPlanButtons(props: { instanceId: string; snapshotId: string; filter: KeyFilter }) {
  const t = useTranslations('deletions.new');
  const { instanceId, snapshotId, filter } = props;
  const selection = { by: 'filter' as const, snapshotId, filter };
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
