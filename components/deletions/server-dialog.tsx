import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { ErrorState } from '@/components/data/error-state';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useAcceptServer, useCompareServers } from '@/components/data/queries/use-deletions';
import { Alert } from '@/components/ui/alert';
import { ConfirmDialog, TypedWord } from '@/components/ui/overlays/confirm-dialog';
import { Skeleton } from '@/components/ui/skeleton';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { ServerIdentity } from '@/lib/model/servers/server-identity';

/** The server of the plan, the server that answers now, and the decision to accept it. */
export function ServerDialog({ plan, onClose }: { plan: DeletionPlan; onClose: () => void }) {
  const t = useTranslations('deletions.server');
  const compared = useCompareServers(plan.id);
  const accept = useAcceptServer(plan.id);
  const [typed, setTyped] = useState('');
  const servers = compared.data;
  const isOther = servers?.verdict === 'other';
  const confirm = () =>
    servers &&
    accept.mutate(
      { confirm: typed, seen: servers.seen },
      // If the server that answers is not the one that was shown, show the new one before anybody decides.
      { onSuccess: onClose, onError: () => void compared.refetch() },
    );
  return (
    <ConfirmDialog
      title={t('title')}
      text={t('text')}
      confirm={t('accept')}
      disabled={!isOther || typed !== plan.phrase}
      busy={accept.isPending || compared.isFetching}
      onClose={onClose}
      onConfirm={confirm}
    >
      <div className="space-y-4">
        {compared.error ? (
          <ErrorState error={compared.error} onRetry={() => void compared.refetch()} />
        ) : servers ? (
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            <ServerFacts name={t('was')} server={servers.was} />
            <ServerFacts name={t('is')} server={servers.is} />
          </dl>
        ) : (
          <Skeleton className="h-24 rounded-lg" />
        )}
        {servers && !isOther ? <Alert tone="success">{t('same')}</Alert> : null}
        <TypedWord label={t('type', { phrase: plan.phrase })} value={typed} onChange={setTyped} />
        <ErrorAlert error={accept.error} />
      </div>
    </ConfirmDialog>
  );
}

function ServerFacts({ name, server }: { name: string; server: ServerIdentity }) {
  const t = useTranslations('deletions.server');
  return (
    <div className="min-w-0">
      <dt className="text-muted-foreground text-xs">
        {name} · <TimeAgo at={server.seenAt} />
      </dt>
      <dd className="num mt-0.5 whitespace-normal [overflow-wrap:anywhere]">
        <span className="block">{server.endpoints.join(', ')}</span>
        {server.nodes
          .filter(({ role }) => role === 'master')
          .map(({ address, version, runId, replicationId }) => (
            <span key={address} className="block text-xs">
              {[address, version].filter(Boolean).join(' · ')}
              <span className="block">{t('runId', { id: runId?.slice(0, 12) ?? '—' })}</span>
              <span className="block">{t('replicationId', { id: replicationId?.slice(0, 12) ?? '—' })}</span>
            </span>
          ))}
      </dd>
    </div>
  );
}
