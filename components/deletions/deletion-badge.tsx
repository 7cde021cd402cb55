import { useTranslations } from 'use-intl';
import { JobStateBadge } from '@/components/scans/job-state-badge';
import { Badge } from '@/components/ui/badge';
import type { Deletion } from '@/lib/model/deletions/deletion';
import { isActive } from '@/lib/model/job-states';

/** Tone and message key by the state of the approval. */
const TONES = { requested: 'warning', approved: 'accent', rejected: 'danger' } as const;
const WORDS = { requested: 'waits', approved: 'approved', rejected: 'rejected' } as const;

/**
 * One badge with the state of a plan or deletion. If several states apply, it shows the most important one: a running
 * undo, then the job, then keys that need a person, then what was restored.
 */
export function DeletionBadge({ deletion }: { deletion: Deletion }) {
  const t = useTranslations('deletions.state');
  const { state, job, action, counts, plan, approval } = deletion;
  if (action === 'undo' && job && isActive(job)) return <Badge tone="accent">{t('undoing')}</Badge>;
  if (state === 'started' && job) return <JobStateBadge state={job.state} />;
  if (action === 'undo' && job?.state === 'failed') return <Badge tone="danger">{t('undoFailed')}</Badge>;
  if ((counts.needs_review ?? 0) > 0) return <Badge tone="danger">{t('look')}</Badge>;
  if (plan.totals.keys > 0 && counts.undone === plan.totals.keys) return <Badge tone="accent">{t('undone')}</Badge>;
  if (deletion.needsApproval && approval) return <Badge tone={TONES[approval.state]}>{t(WORDS[approval.state])}</Badge>;
  return <Badge tone={state === 'done' ? 'success' : 'outline'}>{t(state)}</Badge>;
}
