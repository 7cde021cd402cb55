import { useTranslations } from 'use-intl';
import { getKept } from '@/components/data/kept/use-kept-state';
import { May } from '@/components/data/may';
import { useDiscardPlan } from '@/components/data/queries/use-deletions';
import { useErrorToast } from '@/components/data/use-error-text';
import { PlanButton } from '@/components/plans/plan-button';
import type { PlanStart } from '@/components/plans/plan-dialog';
import { Button } from '@/components/ui/button';
import { useGo } from '@/components/ui/underway/use-go';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';

/**
 * A changed plan starts with the values of the old one. Deleting in place is offered if keys were excluded because they
 * could not be renamed.
 */
const toPlanStart = ({ task, options, excluded }: DeletionPlan): PlanStart => ({
  task,
  options,
  offerInPlace: excluded.some(({ reason }) => reason.code === 'tombstone_denied'),
});

/**
 * Buttons to change or discard the plan. A discarded plan leads back to the page where it was made, otherwise to `list`.
 */
export function PlanActions({ plan, list }: { plan: DeletionPlan; list: string }) {
  const t = useTranslations('deletions.plan');
  const go = useGo();
  const discard = useDiscardPlan();
  const onError = useErrorToast();
  return (
    <May permission="deletion.run" instanceId={plan.instanceId}>
      <PlanButton instanceId={plan.instanceId} selection={plan.selection} size="md" start={toPlanStart(plan)}>
        {t('change')}
      </PlanButton>
      <Button
        variant="ghost"
        busy={discard.isPending}
        onClick={() =>
          discard.mutate(plan.id, { onSuccess: () => go(String(getKept(`plan from ${plan.id}`) ?? list)), onError })
        }
      >
        {t('discard')}
      </Button>
    </May>
  );
}
