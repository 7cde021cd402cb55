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

/**
 * The editor of a profile as it was opened. A version that another person saves replaces it at once, unless there are
 * unsaved changes here.
 */
function OpenedProfile(props: { newest: Profile; catalogue: Catalogue; defaultBody: ProfileBody | null }) {
  const { newest, ...rest } = props;
  /** Unsaved changes of an earlier visit; null: none. */
  const [kept] = useState(() => unsaved.of(newest.id));
  const [opened, setOpened] = useState(kept?.opened ?? newest);
  const [changed, setChanged] = useState(kept !== null);
  const [discardCount, setDiscardCount] = useState(0);
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
    setDiscardCount(discardCount + 1);
  };
  // They are shown until they are saved or discarded.
  const keptBody = discardCount === 0 && kept?.opened.updatedAt === opened.updatedAt ? kept.body : null;
  // The list of instances that use the profile is always the newest.
  const profile = { ...opened, usedBy: newest.usedBy };
  const editorProps = { profile, outdated, keptBody, onDiscard, onChanged: setChanged, onSaved };
  // Discarding does not change updatedAt, so its count is part of the key: the editor must be created again.
  return <ProfileEditor key={`${opened.updatedAt} ${discardCount}`} {...editorProps} {...rest} />;
}

export function ProfilePage({ id }: { id: string }) {
  const t = useTranslations('profiles');
  const query = useProfile(id);
  const { catalogue } = useRules();
  const defaultBody = useProfiles().data?.find((profile) => profile.id === 'default')?.body ?? null;
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
        <OpenedProfile key={id} newest={query.data} catalogue={catalogue} defaultBody={defaultBody} />
      )}
    </>
  );
}
