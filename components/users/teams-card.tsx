import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Loaded } from '@/components/data/loaded';
import { useRemoveTeam, useTeams } from '@/components/data/queries/accounts/use-teams';
import { useErrorText } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Team } from '@/lib/model/accounts/teams';
import { TeamPrefixes } from './team-prefixes';
import { useGrantsColumn } from './use-grants-column';

const TeamDialog = createLazyPart(() => import('./team-dialog').then((loaded) => loaded.TeamDialog));

/** A row of the table has space for this many prefixes of a team. */
const PREFIXES_SHOWN = 4;

/** The teams, which own prefixes, and the grants of their members. */
export function TeamsCard() {
  const t = useTranslations('users');
  const errorText = useErrorText();
  const teams = useTeams();
  const remove = useRemoveTeam();
  const [editing, setEditing] = useState<Team | 'new' | null>(null);
  const [removing, setRemoving] = useState<Team | null>(null);
  const columns: DataColumn<Team>[] = [
    {
      id: 'name',
      header: t('team.name'),
      value: (team) => team.name,
      className: 'min-w-28 font-medium [overflow-wrap:anywhere]',
      cell: (team) => <bdi>{toVisibleText(team.name)}</bdi>,
    },
    {
      id: 'members',
      header: t('team.members'),
      className: 'min-w-24 [overflow-wrap:anywhere]',
      cell: ({ members }) => members?.map(({ name }) => name).join(', ') || '—',
    },
    {
      id: 'prefixes',
      header: t('team.prefixes'),
      hide: 'max-sm:hidden',
      className: 'min-w-36',
      cell: ({ name }) => <TeamPrefixes team={name} max={PREFIXES_SHOWN} />,
    },
    useGrantsColumn(),
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (team) => (
        <>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={t('team.edit', { name: team.name })}
            onClick={() => setEditing(team)}
          >
            <Pencil aria-hidden />
          </Button>
          <Button
            variant="ghost"
            size="iconSm"
            aria-label={t('team.remove', { name: team.name })}
            onClick={() => setRemoving(team)}
          >
            <Trash2 aria-hidden />
          </Button>
        </>
      ),
    },
  ];
  return (
    <Card>
      <CardHeader
        title={t('team.title')}
        description={t('team.intro')}
        actions={
          <Button size="sm" onClick={() => setEditing('new')}>
            <Plus aria-hidden />
            {t('team.add')}
          </Button>
        }
      />
      <Loaded query={teams} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="px-4 py-6 text-muted-foreground text-sm">{t('team.none')}</p>
          ) : (
            <DataTable id="teams" label={t('team.title')} columns={columns} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      {editing ? <TeamDialog team={editing === 'new' ? null : editing} onClose={() => setEditing(null)} /> : null}
      {removing ? (
        <ConfirmDialog
          title={t('team.sure', { name: removing.name })}
          text={t('team.sureText')}
          confirm={t('team.removeIt')}
          busy={remove.isPending}
          onClose={() => setRemoving(null)}
          onConfirm={() =>
            remove.mutate(removing.id, {
              onError: (error) => void toast.error(errorText(error).title),
              onSettled: () => setRemoving(null),
            })
          }
        />
      ) : null}
    </Card>
  );
}
