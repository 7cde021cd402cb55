'use client';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { useUsers } from '@/components/data/queries/accounts/use-users';
import { TableMenu } from '@/components/reports/files/table-menu';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { LazyUserDialog } from './lazy-user-dialog';
import { LinkDialog, type MadeLink } from './link-dialog';
import { TeamsCard } from './teams-card';
import { UserTable } from './user-table';

/** The accounts and teams, and what each may do. */
export function UsersPage() {
  const t = useTranslations('users');
  const asked = useUsers(useMay('user.manage'));
  const [adding, setAdding] = useState(false);
  const [link, setLink] = useState<MadeLink | null>(null);
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
          {asked.error && !asked.data ? (
            <ErrorState error={asked.error} onRetry={() => void asked.refetch()} />
          ) : !asked.data ? (
            <SkeletonRows rows={4} />
          ) : asked.data.length === 0 ? (
            <EmptyState icon={UserPlus} title={t('none')} className="py-20">
              {t('noneText')}
            </EmptyState>
          ) : (
            <UserTable users={asked.data} onLink={setLink} />
          )}
        </Card>
        <TeamsCard />
      </May>
      {adding ? <LazyUserDialog user={null} onClose={() => setAdding(false)} onLink={setLink} /> : null}
      {link ? <LinkDialog made={link} onClose={() => setLink(null)} /> : null}
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
