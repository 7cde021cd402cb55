'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EachCard } from '@/components/data/card-boundary';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { usePersonName } from '@/components/data/format/use-person-name';
import { May } from '@/components/data/may';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useDeletion } from '@/components/data/queries/use-deletions';
import { ItemsCard } from '@/components/deletions/items/items-card';
import { ApprovalCard } from '@/components/deletions/plan/approval-card';
import { ConfirmCard } from '@/components/deletions/plan/confirm-card';
import { ExpiryCard } from '@/components/deletions/plan/expiry-card';
import { HazardsCard } from '@/components/deletions/plan/hazards-card';
import { PlanActions } from '@/components/deletions/plan/plan-actions';
import { PlanDetails } from '@/components/deletions/plan/plan-details';
import { PlanHeadline } from '@/components/deletions/plan/plan-headline';
import { PricesCard } from '@/components/deletions/plan/prices-card';
import { SelectionText } from '@/components/deletions/plan/selection-text';
import { LiveCard } from '@/components/deletions/run/live-card';
import { ResultCard } from '@/components/deletions/run/result-card';
import { StoppedAlert } from '@/components/deletions/run/stop-card';
import { UndoDialog, type UndoWhat } from '@/components/deletions/run/undo-dialog';
import { useHere } from '@/components/layout/navigation/use-here';
import { WriteUserMissing } from '@/components/plans/write-user-form';
import { Alert } from '@/components/ui/alert';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { isActive } from '@/lib/model/job-states';
import { DeletionBadge } from './deletion-badge';
import { ServerDialog } from './server-dialog';

/** One page that follows a deletion from its plan to its end, and its undo. */
export function DeletionPage({ instanceId, id }: { instanceId: string; id: string }) {
  const t = useTranslations('deletions');
  const { data: deletion, error, refetch } = useDeletion(id);
  const [undoing, setUndoing] = useState<UndoWhat | null>(null);
  const [comparing, setComparing] = useState(false);
  const mayUndo = useMay('deletion.run', instanceId);
  const { instanceHref } = useHere();
  const personName = usePersonName();
  const list = instanceHref(instanceId, '/deletions');
  if (error && !deletion)
    return (
      <Card>
        <ErrorState page error={error} onRetry={() => void refetch()} />
      </Card>
    );
  if (!deletion) return <Skeleton className="h-64 rounded-lg" />;
  const { plan, state, job } = deletion;
  const planned = state === 'planned';
  const expire = plan.task === 'expire';
  const count = plan.totals.keys;
  const running = isActive(deletion.job);
  // The job runs or is paused, so an undo would end it.
  const open = job !== null && (running || job.state === 'paused');
  const title = planned
    ? t(expire ? 'plan.pageTitleExpire' : 'plan.pageTitle', { count })
    : t(expire ? 'list.expire' : 'list.delete', { count });
  const unapproved = deletion.needsApproval && deletion.approval?.state !== 'approved';
  const compareInstead = () => {
    setUndoing(null);
    setComparing(true);
  };
  return (
    <div className="space-y-4">
      <Breadcrumb
        label={t('title')}
        items={[
          {
            key: 'all',
            node: (
              <Link href={list} className="rounded hover:text-foreground hover:underline">
                {t('title')}
              </Link>
            ),
          },
          { key: 'this', node: title },
        ]}
      />
      <PageHeader
        title={title}
        badges={<DeletionBadge deletion={deletion} />}
        description={
          <>
            <SelectionText selection={plan.selection} />
            {planned ? (
              <span className="block">
                {t.rich('plan.planned', {
                  who: personName(plan.createdBy, plan.createdById),
                  when: () => <TimeAgo at={plan.createdAt} />,
                })}
              </span>
            ) : null}
          </>
        }
        actions={planned ? <PlanActions plan={plan} list={list} /> : null}
      />
      <EachCard>
        <StoppedAlert instanceId={instanceId} />
      </EachCard>
      {planned ? (
        // The plan fails as a whole: nobody may confirm a plan of which a part could not be shown.
        <EachCard>
          <div className="space-y-4">
            <PlanHeadline plan={plan} />
            <HazardsCard plan={plan} />
            {plan.expiries ? <ExpiryCard expiries={plan.expiries} /> : null}
            <PricesCard plan={plan} />
            <ItemsCard deletion={deletion} live={false} />
            <PlanDetails plan={plan} />
            <ApprovalCard deletion={deletion} />
            <WriteUserMissing instanceId={instanceId} />
            {unapproved ? null : <ConfirmCard deletion={deletion} />}
          </div>
        </EachCard>
      ) : (
        <EachCard>
          {job?.state === 'paused' && job.reason?.code === 'other_server' ? (
            <Alert
              tone="warning"
              title={t('server.waits')}
              actions={
                <May permission="deletion.override" instanceId={instanceId} reason>
                  <Button size="sm" onClick={() => setComparing(true)}>
                    {t('server.compare')}
                  </Button>
                </May>
              }
            >
              {t('server.waitsText')}
            </Alert>
          ) : null}
          {!running && (open || job?.state === 'failed' || deletion.undoable > 0) ? (
            <WriteUserMissing instanceId={instanceId} />
          ) : null}
          {open || job?.state === 'failed' ? (
            <LiveCard
              deletion={deletion}
              onUndo={
                mayUndo && deletion.undoable > 0 && deletion.action !== 'undo'
                  ? () => setUndoing({ seq: null, name: null })
                  : null
              }
            />
          ) : null}
          <ApprovalCard deletion={deletion} />
          {job?.state === 'paused' && deletion.action !== 'undo' && deletion.missing.length > 0 && !unapproved ? (
            <ConfirmCard deletion={deletion} />
          ) : null}
          {running ? null : <ResultCard deletion={deletion} onUndo={() => setUndoing({ seq: null, name: null })} />}
          <ItemsCard
            deletion={deletion}
            live={running}
            onUndo={!running && mayUndo ? (seq, name) => setUndoing({ seq, name }) : undefined}
          />
        </EachCard>
      )}
      {undoing ? (
        <UndoDialog
          id={id}
          what={undoing}
          ends={open}
          quarantined={(deletion.counts.quarantined ?? 0) >= deletion.undoable}
          onClose={() => setUndoing(null)}
          onCompare={compareInstead}
        />
      ) : null}
      {comparing ? <ServerDialog plan={plan} onClose={() => setComparing(false)} /> : null}
    </div>
  );
}
