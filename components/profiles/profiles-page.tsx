'use client';
import { Copy, Download, FileUp, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { NotInFile } from '@/components/data/format/value';
import { May } from '@/components/data/may';
import { useProfileName } from '@/components/data/queries/policies/use-profile-name';
import {
  exportProfileUrl,
  useProfiles,
  useRemoveProfile,
  useSaveProfile,
} from '@/components/data/queries/policies/use-profiles';
import { useErrorText } from '@/components/data/use-error-text';
import type { DataColumn } from '@/components/data-table/data-column';
import { DataTable } from '@/components/data-table/data-table';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useGo } from '@/components/ui/underway/use-go';
import type { Profile } from '@/lib/model/rules/policy';
import type { Strength } from '@/lib/model/rules/rules';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';
import { ImportDialog } from './import-dialog';

export function ProfilesPage() {
  const t = useTranslations('profiles');
  const query = useProfiles();
  const [importing, setImporting] = useState(false);
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <>
            {query.data ? <OneTableMenu id="profiles" name={t('title')} /> : null}
            <May permission="profile.manage" reason>
              <Button onClick={() => setImporting(true)}>
                <FileUp aria-hidden />
                {t('import')}
              </Button>
            </May>
          </>
        }
      />
      {query.error && !query.data ? (
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : !query.data ? (
        <Card role="status" aria-label={t('title')}>
          <SkeletonRows rows={7} />
        </Card>
      ) : (
        <ProfileTable profiles={query.data} />
      )}
      {importing ? <ImportDialog onClose={() => setImporting(false)} /> : null}
    </div>
  );
}

function ProfileTable({ profiles }: { profiles: Profile[] }) {
  const t = useTranslations('profiles');
  const strengths = useTranslations('rules.strength');
  const getProfileName = useProfileName();
  const columns: DataColumn<Profile>[] = [
    {
      id: 'name',
      header: t('column.name'),
      value: (profile) => getProfileName(profile.id, profile.body.name),
      className: 'w-full min-w-44 py-2 [overflow-wrap:anywhere]',
      cell: (profile) => (
        <>
          <Link
            href={`/profiles/${encodeURIComponent(profile.id)}`}
            className="font-medium hover:text-accent hover:underline"
          >
            {getProfileName(profile.id, profile.body.name)}
          </Link>{' '}
          {profile.preset ? <Badge tone="outline">{profile.id === 'default' ? t('preset') : profile.id}</Badge> : null}
          {profile.body.description ? (
            <NotInFile>
              <span className="block text-muted-foreground text-xs">
                {profile.id === 'default' ? t('default.description') : profile.body.description}
              </span>
            </NotInFile>
          ) : null}
        </>
      ),
    },
    ...STRENGTHS.map((strength) => ({
      id: strength,
      header: strengths(strength),
      num: true,
      hide: 'max-md:hidden',
      value: (profile: Profile) => countRulesOfStrength(profile, strength),
      cell: (profile: Profile) => countRulesOfStrength(profile, strength),
    })),
    {
      id: 'usedBy',
      header: t('column.usedBy'),
      hide: 'max-sm:hidden',
      className: 'max-w-56 truncate text-muted-foreground text-sm',
      getTitle: (profile) => formatProfileInstances(profile) ?? undefined,
      value: formatProfileInstances,
      cell: (profile) => formatProfileInstances(profile) ?? '—',
    },
    {
      id: 'actions',
      header: t('column.actions'),
      quiet: true,
      className: 'w-px whitespace-nowrap',
      cell: (profile) => <RowActions profile={profile} />,
    },
  ];
  return (
    <Card>
      <DataTable id="profiles" label={t('title')} columns={columns} rows={profiles} rowId={(profile) => profile.id} />
    </Card>
  );
}

function RowActions({ profile }: { profile: Profile }) {
  const t = useTranslations('profiles');
  const name = useProfileName()(profile.id, profile.body.name);
  const go = useGo();
  const errorText = useErrorText();
  const save = useSaveProfile();
  const remove = useRemoveProfile();
  const [removing, setRemoving] = useState(false);
  const copy = () =>
    save.mutate(
      { body: { ...profile.body, name: t('copyOf', { name }).slice(0, 80) } },
      {
        onSuccess: (made) => go(`/profiles/${encodeURIComponent(made.id)}`),
        onError: (error) => toast.error(errorText(error).hint),
      },
    );
  return (
    <span className="inline-flex items-center gap-1">
      <May permission="profile.manage">
        <Button size="iconSm" variant="ghost" aria-label={t('copy', { name })} busy={save.isPending} onClick={copy}>
          <Copy aria-hidden />
        </Button>
      </May>
      <Button asChild size="iconSm" variant="ghost">
        <a href={exportProfileUrl(profile.id)} download aria-label={t('export', { name })}>
          <Download aria-hidden />
        </a>
      </Button>
      {profile.preset ? null : (
        <May permission="profile.manage">
          <Button size="iconSm" variant="ghost" aria-label={t('remove', { name })} onClick={() => setRemoving(true)}>
            <Trash2 aria-hidden />
          </Button>
        </May>
      )}
      {removing ? (
        <ConfirmDialog
          title={t('removeSure', { name })}
          confirm={t('removeNow')}
          busy={remove.isPending}
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            remove.mutate(profile.id, {
              onError: (error) => toast.error(errorText(error).hint),
              onSettled: () => setRemoving(false),
            })
          }
        />
      ) : null}
    </span>
  );
}

/** Returns how many rules of that strength the profile turns on, custom rules included. */
const countRulesOfStrength = ({ body }: Profile, strength: Strength): number =>
  [...Object.values(body.rules), ...body.custom].filter((rule) => rule.on && rule.strength === strength).length;

/** Returns the names of the instances that are checked against the profile; null = none. */
const formatProfileInstances = ({ usedBy }: Profile): string | null =>
  usedBy.map(({ name }) => name).join(', ') || null;
