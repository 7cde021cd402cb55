import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useFormat } from '@/components/data/format/use-format';
import { NotInFile, Value } from '@/components/data/format/value';
import { Loaded } from '@/components/data/loaded';
import { useOwnSessions, useRevokeSession } from '@/components/data/queries/accounts/use-session';
import { goToSignIn } from '@/components/data/sign-in-redirect';
import { useErrorText } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { toast } from '@/components/ui/overlays/toast';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Session } from '@/lib/model/accounts/accounts';
import { detectBrowser } from '@/lib/model/accounts/browser-name';

/** The sessions of the reader's own account. Each can be ended here. */
export function SessionsCard() {
  const t = useTranslations('account');
  const f = useFormat();
  const errorText = useErrorText();
  const sessions = useOwnSessions();
  const revoke = useRevokeSession();
  const formatAgent = (agent: string) => {
    const known = detectBrowser(agent);
    if (known === null) return toVisibleText(agent) || '—';
    const { browser, system } = known;
    return system === null ? browser : t('session.browserOn', { browser, system });
  };
  const columns: DataColumn<Session>[] = [
    {
      id: 'agent',
      header: t('session.browser'),
      className: 'w-full min-w-36 max-w-0 [overflow-wrap:anywhere]',
      cell: ({ agent, current }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="line-clamp-2 text-xs" title={toVisibleText(agent)}>
            {formatAgent(agent)}
          </span>
          {current ? (
            <NotInFile>
              <Badge tone="accent">{t('session.current')}</Badge>
            </NotInFile>
          ) : null}
        </span>
      ),
    },
    {
      id: 'address',
      header: t('session.address'),
      hide: 'max-sm:hidden',
      cell: ({ address }) => toVisibleText(address),
    },
    { id: 'seen', header: t('session.seen'), cell: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} /> },
    {
      id: 'until',
      header: t('session.until'),
      hide: 'max-md:hidden',
      cell: ({ expiresAt }) => <Value value={expiresAt} as="dateTime" />,
    },
    {
      id: 'actions',
      header: t('session.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: ({ id, current, createdAt }) => (
        <Button
          size="xs"
          busy={revoke.isPending && revoke.variables === id}
          aria-label={t('session.endOf', { time: f.dateTime(createdAt) })}
          onClick={() =>
            revoke.mutate(id, {
              onSuccess: () => (current ? goToSignIn() : void toast.success(t('session.ended'))),
              onError: (error) => void toast.error(errorText(error).title),
            })
          }
        >
          {t('session.end')}
        </Button>
      ),
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('session.title')}
        description={t('session.intro')}
        actions={sessions.data ? <OneTableMenu id="sessions" name={t('session.title')} /> : null}
      />
      <Loaded query={sessions} rows={2}>
        {(rows) => (
          <DataTable id="sessions" label={t('session.title')} columns={columns} rows={rows} rowId={({ id }) => id} />
        )}
      </Loaded>
    </Card>
  );
}
