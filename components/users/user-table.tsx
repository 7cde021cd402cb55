import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { User } from '@/lib/model/accounts/accounts';
import { getUserState, type UserState } from '@/lib/model/accounts/user-state';
import { useGrantsColumn } from './use-grants-column';
import { UserActions } from './user-actions';
import type { MadeLink } from './user-dialog';

const TONES: Record<UserState, BadgeTone> = { active: 'success', invited: 'warning', disabled: 'neutral' };

export function UserTable(props: { users: User[]; onLink: (made: MadeLink) => void }) {
  const t = useTranslations('users');
  const roles = useTranslations('account.role');
  const columns: DataColumn<User>[] = [
    {
      id: 'name',
      header: t('column.name'),
      value: (user) => user.name,
      className: 'font-medium [overflow-wrap:anywhere]',
      cell: (user) => (
        <>
          <bdi>{user.name}</bdi> {user.provider === null ? null : <Badge tone="outline">{user.provider}</Badge>}
        </>
      ),
    },
    { id: 'role', header: t('column.role'), value: (user) => user.role, cell: (user) => roles(user.role) },
    useGrantsColumn(),
    {
      id: 'state',
      header: t('column.state'),
      value: getUserState,
      cell: (user) => <Badge tone={TONES[getUserState(user)]}>{t(`state.${getUserState(user)}`)}</Badge>,
    },
    {
      id: 'last',
      header: t('column.last'),
      hide: 'max-sm:hidden',
      value: (user) => user.lastSignInAt,
      className: 'whitespace-nowrap',
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? '—' : <TimeAgo at={lastSignInAt} />),
    },
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px',
      cell: (user) => <UserActions user={user} onLink={props.onLink} />,
    },
  ];
  return <DataTable id="users" label={t('title')} columns={columns} rows={props.users} rowId={({ id }) => id} />;
}
