import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useApproval } from '@/components/data/queries/use-deletions';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Textarea } from '@/components/ui/forms/input';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { getPlanChangedAt } from '@/lib/model/deletions/plan-changes';
import { MAX_APPROVAL_TEXT } from './request-approval';

/** Approves or rejects exactly the plan that this page shows. */
export function DecideApproval({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.approval');
  const ui = useTranslations('ui');
  const { decide } = useApproval(plan.id);
  const [note, setNote] = useState('');
  const sendDecision = (decision: 'approve' | 'reject') =>
    decide.mutate({ planCreatedAt: getPlanChangedAt(plan), decision, note });
  const pending = decide.isPending ? decide.variables.decision : null;
  return (
    <div className="max-w-2xl space-y-3">
      <p>{t('decide', { keys: t('keys', { count: plan.totals.keys }), name: plan.instanceName })}</p>
      <Field label={t('note')} optional={ui('optional')}>
        <Textarea
          rows={2}
          maxLength={MAX_APPROVAL_TEXT}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          busy={pending === 'approve'}
          disabled={pending !== null}
          onClick={() => sendDecision('approve')}
        >
          {t('approve')}
        </Button>
        <Button busy={pending === 'reject'} disabled={pending !== null} onClick={() => sendDecision('reject')}>
          {t('reject')}
        </Button>
      </div>
      <ErrorAlert error={decide.error} />
    </div>
  );
}
