import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { Value } from '@/components/data/format/value';
import { useGrantText } from '@/components/data/forms/use-grant-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toVisibleText } from '@/components/ui/visible-text';
import type { ApiToken } from '@/lib/model/accounts/api-tokens';

export function useTokenColumns(props: {
  /** Adds the column with the owner, for lists that also contain the tokens of others. */
  owners: boolean;
  onRevoke: (token: ApiToken) => void;
}): DataColumn<ApiToken>[] {
  const t = useTranslations('account.token');
  const roles = useTranslations('account.role');
  const grantText = useGrantText();
  const owner: DataColumn<ApiToken> = {
    id: 'owner',
    header: t('owner'),
    hide: 'max-sm:hidden',
    cell: ({ user }) => <bdi>{user.name}</bdi>,
  };
  return [
    {
      id: 'name',
      header: t('name'),
      className: 'w-full min-w-36 max-w-0 [overflow-wrap:anywhere]',
      cell: ({ name, expiresAt }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi>{name}</bdi>
          {expiresAt <= Date.now() ? <Badge tone="warning">{t('expired')}</Badge> : null}
        </span>
      ),
    },
    ...(props.owners ? [owner] : []),
    {
      id: 'role',
      header: t('role'),
      cell: ({ role, grants }) => (
        <span className="grid gap-0.5">
          <span>{roles(role)}</span>
          {grants.map((grant) => (
            <span key={`${grant.kind} ${grant.value}`} className="text-muted-foreground text-xs">
              {grantText(grant)}
            </span>
          ))}
        </span>
      ),
    },
    {
      id: 'used',
      header: t('used'),
      hide: 'max-sm:hidden',
      cell: ({ lastUsedAt, lastAddress }) =>
        lastUsedAt === null ? (
          t('never')
        ) : (
          <span className="grid gap-0.5">
            <TimeAgo at={lastUsedAt} />
            <span className="text-muted-foreground text-xs">
              {t('from', { address: toVisibleText(lastAddress ?? '') })}
            </span>
          </span>
        ),
    },
    {
      id: 'until',
      header: t('until'),
      hide: 'max-md:hidden',
      cell: ({ expiresAt }) => <Value value={expiresAt} as="dateTime" />,
    },
    {
      id: 'actions',
      header: t('actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (token) => (
        <Button size="xs" aria-label={t('revokeOf', { name: token.name })} onClick={() => props.onRevoke(token)}>
          {t('revoke')}
        </Button>
      ),
    },
  ];
}
