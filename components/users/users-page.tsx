'use client';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Loaded } from '@/components/data/loaded';
import { May } from '@/components/data/may';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useUsers } from '@/components/data/queries/accounts/use-users';
import { TableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { SecretDialog } from '@/components/ui/overlays/secret-dialog';
import { PageHeader } from '@/components/ui/page-header';
import { LazyUserDialog } from './lazy-user-dialog';
import { TeamsCard } from './teams-card';
import type { MadeLink } from './user-dialog';
import { UserTable } from './user-table';

/** The accounts and teams, and what each may do. */
export function UsersPage() {
  const t = useTranslations('users');
  const f = useFormat();
  const users = useUsers(useMay('user.manage'));
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeLink | null>(null);
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <UserPlus aria-hidden />
      {t('add')}
    </Button>
  );
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            <May permission="user.manage">
              <Files />
            </May>
            <May permission="user.manage" reason>
              {add}
            </May>
          </>
        }
      />
      <May permission="user.manage">
        <Card>
          <Loaded query={users} rows={4}>
            {(rows) =>
              rows.length === 0 ? (
                <EmptyState icon={UserPlus} title={t('none')} className="py-20">
                  {t('noneText')}
                </EmptyState>
              ) : (
                <UserTable users={rows} onLink={setMade} />
              )
            }
          </Loaded>
        </Card>
        <TeamsCard />
      </May>
      {adding ? <LazyUserDialog user={null} onClose={() => setAdding(false)} onLink={setMade} /> : null}
      {made ? (
        <SecretDialog
          title={t('link.title', { name: made.name })}
          text={t('link.text', { time: f.dateTime(made.link.expiresAt) })}
          // The token follows `#`, so that no log of a server or proxy contains it.
          secret={`${window.location.origin}/welcome#${made.link.token}`}
          copyLabel={t('link.copy')}
          closeLabel={t('link.done')}
          onClose={() => setMade(null)}
        />
      ) : null}
    </div>
  );
}

function Files() {
  const t = useTranslations('users');
  const words = useTranslations('filters.export');
  const tables = [
    { id: 'users', name: t('title') },
    { id: 'teams', name: t('team.title') },
  ];
  return <TableMenu label={words('listsLabel')} tables={tables} />;
}
