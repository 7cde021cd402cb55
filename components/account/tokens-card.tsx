import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Loaded } from '@/components/data/loaded';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { useRevokeToken, useTokens } from '@/components/data/queries/accounts/use-tokens';
import { useErrorText } from '@/components/data/use-error-text';
import { DataTable } from '@/components/data-table/data-table';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { SecretDialog } from '@/components/ui/overlays/secret-dialog';
import { toast } from '@/components/ui/overlays/toast';
import type { ApiToken } from '@/lib/model/accounts/api-tokens';
import type { MadeToken } from './token-dialog';
import { useTokenColumns } from './use-token-columns';

/** It is loaded when somebody opens it, because the schema that checks the name (zod) is large. */
const TokenDialog = createLazyPart(() => import('./token-dialog').then((loaded) => loaded.TokenDialog));

/** The API tokens, which programs sign in with: one's own, and for administrators those of everybody. */
export function TokensCard() {
  const t = useTranslations('account.token');
  const f = useFormat();
  const errorText = useErrorText();
  const tokens = useTokens();
  const revoke = useRevokeToken();
  const me = useSession().data?.user;
  const opener = useRef<HTMLButtonElement>(null);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const columns = useTokenColumns({ owners: me?.role === 'admin', onRevoke: setRevoking });
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            {tokens.data && tokens.data.length > 0 ? <OneTableMenu id="tokens" name={t('title')} /> : null}
            <Button ref={opener} size="sm" onClick={() => setAdding(true)}>
              <Plus aria-hidden />
              {t('add')}
            </Button>
          </>
        }
      />
      <Loaded query={tokens} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
          ) : (
            <DataTable id="tokens" label={t('title')} columns={columns} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      {adding ? <TokenDialog onClose={() => setAdding(false)} onMade={setMade} returnTo={opener} /> : null}
      {made ? (
        <SecretDialog
          title={t('made', { name: made.token.name })}
          text={t('madeText', { time: f.dateTime(made.token.expiresAt) })}
          secret={made.secret}
          copyLabel={t('copy')}
          closeLabel={t('done')}
          onClose={() => setMade(null)}
        />
      ) : null}
      {revoking ? (
        <ConfirmDialog
          title={t('sure', { name: revoking.name })}
          text={t('sureText')}
          confirm={t('revoke')}
          busy={revoke.isPending}
          onClose={() => setRevoking(null)}
          onConfirm={() =>
            revoke.mutate(revoking, {
              onSuccess: () => void toast.success(t('revoked', { name: revoking.name })),
              onError: (error) => void toast.error(errorText(error).title),
              onSettled: () => setRevoking(null),
            })
          }
        />
      ) : null}
    </Card>
  );
}
