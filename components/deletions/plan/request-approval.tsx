import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useApproval } from '@/components/data/queries/use-deletions';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Textarea } from '@/components/ui/forms/input';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import { getPlanChangedAt } from '@/lib/model/deletions/plan-changes';

/** Limits of a reason or a note, in characters, as the server checks them. */
const MIN_REASON = 3;
export const MAX_APPROVAL_TEXT = 500;

/** Requests an approval from a second person, who reads the reason. */
export function RequestApproval({ plan }: { plan: DeletionPlan }) {
  const t = useTranslations('deletions.approval');
  const { request } = useApproval(plan.id);
  const [reason, setReason] = useState('');
  const ready = reason.trim().length >= MIN_REASON;
  return (
    <form
      className="max-w-2xl space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) request.mutate({ planCreatedAt: getPlanChangedAt(plan), reason });
      }}
    >
      <Field label={t('reason')} hint={t('reasonHint')}>
        <Textarea
          rows={2}
          required
          maxLength={MAX_APPROVAL_TEXT}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" busy={request.isPending} disabled={!ready}>
        {t('request')}
      </Button>
      <ErrorAlert error={request.error} />
    </form>
  );
}
