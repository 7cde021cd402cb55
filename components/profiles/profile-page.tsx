'use client';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useProfile, useProfiles } from '@/components/data/queries/policies/use-profiles';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { Profile, ProfileBody } from '@/lib/model/rules/policy';
import type { Catalogue } from '@/lib/model/rules/rules';
import { ProfileEditor } from './profile-editor';
import { unsaved } from './unsaved';

/** Changes that another person saves are taken over at once, unless there are unsaved changes here. */
function Opened(props: { newest: Profile; catalogue: Catalogue; base: ProfileBody | null }) {
  const { newest, ...rest } = props;
  const [left] = useState(() => unsaved.of(newest.id));
  const [opened, setOpened] = useState(left?.opened ?? newest);
  const [changed, setChanged] = useState(left !== null);
  const [discarded, setDiscarded] = useState(0);
  const outdated = (newest.updatedAt ?? 0) > (opened.updatedAt ?? 0);
  if (outdated && !changed) setOpened(newest);
  const onSaved = (saved: Profile) => {
    setChanged(false);
    setOpened(saved);
  };
  const onDiscard = () => {
    unsaved.drop(newest.id);
    setChanged(false);
    setOpened(newest);
    setDiscarded(discarded + 1);
  };
  const start = discarded === 0 && left?.opened.updatedAt === opened.updatedAt ? left.body : null;
  const profile = { ...opened, usedBy: newest.usedBy };
  const own = { profile, outdated, start, onDiscard, onChanged: setChanged, onSaved };
  return <ProfileEditor key={`${opened.updatedAt} ${discarded}`} {...own} {...rest} />;
}

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
        <Opened key={id} newest={query.data} catalogue={catalogue} base={base} />
      )}
    </>
  );
}
