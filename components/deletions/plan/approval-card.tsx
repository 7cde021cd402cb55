import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import { May } from '@/components/data/may';
import { useMay, useSession } from '@/components/data/queries/accounts/use-session';
import { useApproval } from '@/components/data/queries/use-deletions';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { Approval } from '@/lib/model/deletions/approval';
import type { Deletion } from '@/lib/model/deletions/deletion';
import { DecideApproval } from './decide-approval';
import { RequestApproval } from './request-approval';

const TONES = { requested: 'info', approved: 'success', rejected: 'danger' } as const;

/**
 * The approval of a plan, or of what has changed since it was confirmed: not requested yet, awaited, or decided.
 * Renders nothing if the instance requires no approval.
 */
export function ApprovalCard({ deletion }: { deletion: Deletion }) {
  const t = useTranslations('deletions.approval');
  const { plan, approval, needsApproval } = deletion;
  const mayPlan = useMay('deletion.run', plan.instanceId);
  if (!needsApproval) return null;
  return (
    <Card>
      <CardHeader title={t('title')} />
      <CardBody className="space-y-4">
        <ApprovalSubject deletion={deletion} />
        {approval ? <ApprovalState approval={approval} /> : null}
        {approval?.state === 'requested' ? <AwaitedDecision deletion={deletion} approval={approval} /> : null}
        {approval?.state === 'rejected' ? (
          <p className="text-muted-foreground">{t(deletion.state === 'planned' ? 'again' : 'againStarted')}</p>
        ) : null}
        {mayPlan && (!approval || approval.state === 'rejected') ? <RequestApproval plan={plan} /> : null}
        {mayPlan && approval && approval.state !== 'rejected' ? <WithdrawButton id={plan.id} /> : null}
      </CardBody>
    </Card>
  );
}

/**
 * Shows what the second person is asked to approve: the plan, a server that was accepted since, or a change of the
 * instance.
 */
function ApprovalSubject({ deletion: { plan, state, approval } }: { deletion: Deletion }) {
  const t = useTranslations('deletions.approval');
  if (state === 'planned') return approval ? null : <p>{t('none')}</p>;
  if (!plan.accepted) return <p>{t('changed')}</p>;
  const { by, was, is } = plan.accepted;
  return <p className="[overflow-wrap:anywhere]">{t('server', { who: by, was, is })}</p>;
}

/** Who requested or decided the approval, and with which words. */
function ApprovalState({ approval }: { approval: Approval }) {
  const t = useTranslations('deletions.approval');
  const f = useFormat();
  const { state, requestedBy, requestedAt, decidedBy, decidedAt, reason, note, expiresAt } = approval;
  const decided = state === 'requested' ? null : { who: decidedBy?.name ?? '', at: decidedAt ?? requestedAt };
  return (
    <Alert
      tone={TONES[state]}
      title={
        decided && state !== 'requested'
          ? t.rich(state, { who: decided.who, when: () => <TimeAgo at={decided.at} /> })
          : t.rich('requested', { who: requestedBy.name, when: () => <TimeAgo at={requestedAt} /> })
      }
    >
      {decided && note !== '' ? <p className="whitespace-pre-line">{note}</p> : null}
      <p className={decided ? 'text-muted-foreground' : 'whitespace-pre-line'}>
        {decided ? t.rich('requested', { who: requestedBy.name, when: () => <TimeAgo at={requestedAt} /> }) : reason}
      </p>
      {decided ? <p className="whitespace-pre-line text-muted-foreground">{reason}</p> : null}
      {state === 'rejected' ? null : (
        <p className="text-muted-foreground text-xs">{t('valid', { time: f.dateTime(expiresAt) })}</p>
      )}
    </Alert>
  );
}

/**
 * The form of the decision, for people who may decide. Whoever made, requested or changed the plan reads that another
 * person has to decide.
 */
function AwaitedDecision({ deletion: { plan }, approval }: { deletion: Deletion; approval: Approval }) {
  const t = useTranslations('deletions.approval');
  const role = useTranslations('account.role');
  const me = useSession().data?.user?.id;
  const isOwn = me !== undefined && [approval.requestedBy.id, plan.createdById, plan.accepted?.byId].includes(me);
  if (isOwn)
    return (
      <p className="text-muted-foreground">
        {t('own', { role: role('operator') })} {t('share')}
      </p>
    );
  return (
    <May permission="deletion.approve" instanceId={plan.instanceId} instead>
      <DecideApproval plan={plan} />
    </May>
  );
}

function WithdrawButton({ id }: { id: string }) {
  const t = useTranslations('deletions.approval');
  const { withdraw } = useApproval(id);
  return (
    <>
      <Button variant="ghost" size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
        {t('withdraw')}
      </Button>
      <ErrorAlert error={withdraw.error} />
    </>
  );
}
