'use client';
import { Copy, Download, FileUp, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useErrorText } from '@/components/data/use-error-text';
import { useProfileName } from '@/components/data/use-profile-name';
import { exportProfileUrl, useProfiles, useRemoveProfile, useSaveProfile } from '@/components/data/use-profiles';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Table, TableScroll, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import type { Profile } from '@/lib/model/policy';
import { STRENGTHS } from '@/lib/model/rules';
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
          <Button onClick={() => setImporting(true)}>
            <FileUp aria-hidden />
            {t('import')}
          </Button>
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
  const ts = useTranslations('rules.strength');
  const nameOf = useProfileName();
  return (
    <Card>
      <TableScroll label={t('title')}>
        <Table>
          <THead>
            <tr>
              <Th>{t('column.name')}</Th>
              {STRENGTHS.map((strength) => (
                <Th key={strength} right className="max-md:hidden">
                  {ts(strength)}
                </Th>
              ))}
              <Th className="max-sm:hidden">{t('column.usedBy')}</Th>
              <Th>
                <span className="sr-only">{t('column.actions')}</span>
              </Th>
            </tr>
          </THead>
          <TBody>
            {profiles.map((profile) => (
              <Tr key={profile.id}>
                <Td className="w-full min-w-44 py-2 [overflow-wrap:anywhere]">
                  <Link
                    href={`/profiles/${encodeURIComponent(profile.id)}`}
                    className="font-medium hover:text-accent hover:underline"
                  >
                    {nameOf(profile.id, profile.body.name)}
                  </Link>{' '}
                  {profile.preset ? (
                    <Badge tone="outline">{profile.id === 'default' ? t('preset') : profile.id}</Badge>
                  ) : null}
                  {profile.body.description ? (
                    <span className="block text-muted-foreground text-xs">
                      {profile.id === 'default' ? t('default.description') : profile.body.description}
                    </span>
                  ) : null}
                </Td>
                {STRENGTHS.map((strength) => (
                  <Td key={strength} num className="max-md:hidden">
                    {Object.values(profile.body.rules).filter((rule) => rule.on && rule.strength === strength).length +
                      profile.body.custom.filter((rule) => rule.on && rule.strength === strength).length}
                  </Td>
                ))}
                <Td className="max-w-56 truncate text-muted-foreground text-sm max-sm:hidden">
                  {profile.usedBy.map((user) => user.name).join(', ') || '—'}
                </Td>
                <Td className="w-px whitespace-nowrap">
                  <RowActions profile={profile} />
                </Td>
              </Tr>
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}

function RowActions({ profile }: { profile: Profile }) {
  const t = useTranslations('profiles');
  const name = useProfileName()(profile.id, profile.body.name);
  const router = useRouter();
  const errorText = useErrorText();
  const save = useSaveProfile();
  const remove = useRemoveProfile();
  const [removing, setRemoving] = useState(false);
  const copy = () =>
    save.mutate(
      { body: { ...profile.body, name: t('copyOf', { name }).slice(0, 80) } },
      {
        onSuccess: (made) => router.push(`/profiles/${encodeURIComponent(made.id)}`),
        onError: (error) => toast.error(errorText(error).hint),
      },
    );
  return (
    <span className="inline-flex items-center gap-1">
      <Button size="iconSm" variant="ghost" aria-label={t('copy', { name })} busy={save.isPending} onClick={copy}>
        <Copy aria-hidden />
      </Button>
      <Button asChild size="iconSm" variant="ghost">
        <a href={exportProfileUrl(profile.id)} download aria-label={t('export', { name })}>
          <Download aria-hidden />
        </a>
      </Button>
      {profile.preset ? null : (
        <Button size="iconSm" variant="ghost" aria-label={t('remove', { name })} onClick={() => setRemoving(true)}>
          <Trash2 aria-hidden />
        </Button>
      )}
      <Dialog open={removing} onOpenChange={setRemoving}>
        <DialogContent
          title={t('removeSure', { name })}
          footer={
            <>
              <Button onClick={() => setRemoving(false)}>{t('importing.cancel')}</Button>
              <Button
                variant="danger"
                busy={remove.isPending}
                onClick={() =>
                  remove.mutate(profile.id, {
                    onError: (error) => toast.error(errorText(error).hint),
                    onSettled: () => setRemoving(false),
                  })
                }
              >
                {t('removeNow')}
              </Button>
            </>
          }
        />
      </Dialog>
    </span>
  );
}
