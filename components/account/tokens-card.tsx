import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { useRevokeToken, useTokens } from '@/components/data/queries/accounts/use-tokens';
import { useErrorText } from '@/components/data/use-error-text';
import { DataTable } from '@/components/data-table/data-table';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ApiToken } from '@/lib/model/accounts/api-tokens';
import { type MadeToken, SecretDialog } from './secret-dialog';
import { useTokenColumns } from './use-token-columns';

/** The dialog and the shape that checks what is typed, loaded when somebody opens it. */
const TokenDialog = dynamic(() => import('./token-dialog').then((loaded) => loaded.TokenDialog), { ssr: false });

/** What programs sign in with; administrators see everybody's. */
export function TokensCard() {
  const t = useTranslations('account.token');
  const errorText = useErrorText();
  const asked = useTokens();
  const revoke = useRevokeToken();
  const me = useSession().data?.user;
  const opener = useRef<HTMLButtonElement>(null);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  const [ending, setEnding] = useState<ApiToken | null>(null);
  const columns = useTokenColumns({ owners: me?.role === 'admin', onRevoke: setEnding });
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            {asked.data && asked.data.length > 0 ? <OneTableMenu id="tokens" name={t('title')} /> : null}
            <Button ref={opener} size="sm" onClick={() => setMaking(true)}>
              <Plus aria-hidden />
              {t('add')}
            </Button>
          </>
        }
      />
      {asked.error && !asked.data ? (
        <ErrorState error={asked.error} onRetry={() => void asked.refetch()} />
      ) : asked.data?.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
      ) : asked.data ? (
        <DataTable id="tokens" label={t('title')} columns={columns} rows={asked.data} rowId={({ id }) => id} />
      ) : (
        <SkeletonRows rows={2} />
      )}
      {making ? <TokenDialog onClose={() => setMaking(false)} onMade={setMade} returnTo={opener} /> : null}
      {made ? <SecretDialog made={made} onClose={() => setMade(null)} /> : null}
      {ending ? (
        <ConfirmDialog
          title={t('sure', { name: ending.name })}
          text={t('sureText')}
          confirm={t('revoke')}
          busy={revoke.isPending}
          onClose={() => setEnding(null)}
          onConfirm={() =>
            revoke.mutate(ending, {
              onSuccess: () => void toast.success(t('revoked', { name: ending.name })),
              onError: (error) => void toast.error(errorText(error).title),
              onSettled: () => setEnding(null),
            })
          }
        />
      ) : null}
    </Card>
  );
}
