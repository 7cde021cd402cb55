'use client';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { providersFileUrl, useProviders } from '@/components/data/queries/accounts/use-providers';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { teamsFileUrl } from '@/components/data/queries/accounts/use-teams';
import { usersFileUrl, useUsers } from '@/components/data/queries/accounts/use-users';
import { FileMenu } from '@/components/reports/files/file-menu';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { TEAM_VALUES, USER_VALUES } from '@/lib/model/reports/list-values';
import { shownOrder } from '@/lib/model/reports/table-order';
import { LazyUserDialog } from './lazy-user-dialog';
import { LinkDialog, type MadeLink } from './link-dialog';
import { TeamsCard } from './teams-card';
import { UserTable } from './user-table';

/** The accounts and teams, and what each may do. */
export function UsersPage() {
  const t = useTranslations('users');
  const asked = useUsers(useMay('user.manage'));
  const [sort, setSort] = useState('');
  const [teamSort, setTeamSort] = useState('');
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
              <Files sort={sort} teamSort={teamSort} />
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
            <UserTable users={asked.data} order={{ sort, onSort: setSort }} onLink={setLink} />
          )}
        </Card>
        <TeamsCard order={{ sort: teamSort, onSort: setTeamSort }} />
      </May>
      {adding ? <LazyUserDialog user={null} onClose={() => setAdding(false)} onLink={setLink} /> : null}
      {link ? <LinkDialog made={link} onClose={() => setLink(null)} /> : null}
    </div>
  );
}

/**
 * Identity providers are configured on the server, so this file is the only list of them; it is offered if there are
 * any.
 */
function Files({ sort, teamSort }: { sort: string; teamSort: string }) {
  const t = useTranslations('users');
  const words = useTranslations('filters.export');
  const lang = useLocale();
  const providers = useProviders().data ?? [];
  const files = [
    {
      name: t('title'),
      href: (format: FileFormat) => usersFileUrl(shownOrder(USER_VALUES, sort, lang), format),
    },
    {
      name: t('team.title'),
      href: (format: FileFormat) => teamsFileUrl(shownOrder(TEAM_VALUES, teamSort, lang), format),
    },
    ...(providers.length > 0 ? [{ name: t('providers'), href: providersFileUrl }] : []),
  ];
  return <FileMenu label={words('listsLabel')} hint={words('listsHint')} files={files} />;
}
