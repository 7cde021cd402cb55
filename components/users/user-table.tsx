import { useTranslations } from 'use-intl';
import { TimeAgo } from '@/components/data/format/time-ago';
import { useInstances } from '@/components/data/queries/use-instances';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { User } from '@/lib/model/accounts';
import type { MadeLink } from './link-dialog';
import { UserActions } from './user-actions';

type State = 'active' | 'invited' | 'disabled';
const TONES: Record<State, BadgeTone> = { active: 'success', invited: 'warning', disabled: 'neutral' };
const stateOf = ({ disabled, hasPassword, provider }: User): State =>
  disabled ? 'disabled' : hasPassword || provider !== null ? 'active' : 'invited';

export function UserTable({ users, onLink }: { users: User[]; onLink: (made: MadeLink) => void }) {
  const t = useTranslations('users');
  const roles = useTranslations('account.role');
  const { data: instances = [] } = useInstances();
  const nameOf = (id: string) => instances.find((instance) => instance.id === id)?.name ?? id;
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
    {
      id: 'grants',
      header: t('column.grants'),
      hide: 'max-md:hidden',
      className: 'w-full',
      cell: ({ grants }) => (
        <span className="flex flex-wrap gap-1">
          {grants.map(({ kind, value, role }) => (
            <Badge key={`${kind} ${value}`} tone="outline">
              {t(`grant.of.${kind}`, { value: kind === 'instance' ? nameOf(value) : value, role: roles(role) })}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'state',
      header: t('column.state'),
      value: stateOf,
      cell: (user) => <Badge tone={TONES[stateOf(user)]}>{t(`state.${stateOf(user)}`)}</Badge>,
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
      cell: (user) => <UserActions user={user} onLink={onLink} />,
    },
  ];
  return <DataTable label={t('title')} columns={columns} rows={users} rowId={({ id }) => id} />;
}
