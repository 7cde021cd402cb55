'use client';
import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useProfile, useProfiles } from '@/components/data/use-profiles';
import { useRules } from '@/components/data/use-rules';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ProfileEditor } from './profile-editor';

export function ProfilePage({ id }: { id: string }) {
  const t = useTranslations('profiles');
  const query = useProfile(id);
  const { catalogue } = useRules();
  const base = useProfiles().data?.find((profile) => profile.id === 'default')?.body ?? null;
  return (
    <>
      <Button asChild variant="ghost" size="sm" className="mb-2 -ml-2.5">
        <Link href="/profiles">
          <ArrowLeft aria-hidden />
          {t('back')}
        </Link>
      </Button>
      {query.error && !query.data ? (
        <Card>
          <ErrorState page error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : !query.data || !catalogue ? (
        <Card role="status" aria-label={t('title')}>
          <SkeletonRows rows={14} />
        </Card>
      ) : (
        <ProfileEditor key={`${id} ${query.data.updatedAt}`} profile={query.data} catalogue={catalogue} base={base} />
      )}
    </>
  );
}
