import { Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { type InstancePolicyAnswer, usePolicy, useSetAssignment } from '@/components/data/queries/policies/use-policy';
import { useProfileName } from '@/components/data/queries/policies/use-profile-name';
import { useProfiles } from '@/components/data/queries/policies/use-profiles';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { SelectOption } from '@/components/ui/forms/select-option';
import { useOpenedVersion } from '@/components/ui/forms/use-opened-version';
import { Link } from '@/components/ui/link';
import { toast } from '@/components/ui/overlays/toast';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { Assignment } from '@/lib/model/rules/policy';

export function AssignmentCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.profile');
  const policy = usePolicy(instanceId);
  const profiles = useProfiles();
  const getProfileName = useProfileName();
  const options = (profiles.data ?? []).map((profile) => ({
    value: profile.id,
    label:
      profile.preset && profile.id !== 'default'
        ? `${profile.id} ${profile.body.name}`
        : getProfileName(profile.id, profile.body.name),
  }));
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <Button asChild size="sm">
            <Link href="/profiles">{t('all')}</Link>
          </Button>
        }
      />
      {policy.error && !policy.data ? (
        <ErrorState error={policy.error} onRetry={() => void policy.refetch()} />
      ) : !policy.data || !profiles.data ? (
        <SkeletonRows rows={2} />
      ) : (
        <OpenedAssignment key={instanceId} instanceId={instanceId} newest={policy.data} options={options} />
      )}
    </Card>
  );
}

function OpenedAssignment(props: { instanceId: string; newest: InstancePolicyAnswer; options: SelectOption[] }) {
  const { newest, ...rest } = props;
  const { opened, newer, setChanged, open } = useOpenedVersion(newest);
  return (
    <AssignmentForm
      // The key depends on the assignment alone: typed values stay when an owner or an exemption changes.
      key={`${opened.updatedAt} ${JSON.stringify(opened.assignment)}`}
      start={opened}
      newer={newer}
      onChanged={setChanged}
      onOpen={open}
      {...rest}
    />
  );
}

function AssignmentForm(props: {
  instanceId: string;
  start: InstancePolicyAnswer;
  /** The version that another person has saved since the form was opened; null: none. */
  newer: InstancePolicyAnswer | null;
  onChanged: (changed: boolean) => void;
  onOpen: (policy: InstancePolicyAnswer) => void;
  options: SelectOption[];
}) {
  const t = useTranslations('policy.profile');
  const errorText = useErrorText();
  const save = useSetAssignment(props.instanceId);
  const { start, newer, onChanged, onOpen } = props;
  const [draft, setDraft] = useState(start.assignment);
  const changed = JSON.stringify(draft) !== JSON.stringify(start.assignment);
  useEffect(() => onChanged(changed), [changed, onChanged]);
  const setPrefix = (i: number, patch: Partial<Assignment['prefixes'][number]>) =>
    setDraft({ ...draft, prefixes: draft.prefixes.with(i, { ...draft.prefixes[i]!, ...patch }) });
  return (
    <CardBody className="space-y-3">
      {newer ? (
        <Alert tone="warning">
          <p>{t('savedMeanwhile')}</p>
          <Button size="sm" className="mt-2" onClick={() => onOpen(newer)}>
            {t('openTheirs')}
          </Button>
        </Alert>
      ) : null}
      {save.error && !newer ? <Alert tone="danger">{errorText(save.error).hint}</Alert> : null}
      <Field label={t('whole')} className="max-w-md">
        <Select
          value={draft.profileId}
          onValueChange={(profileId) => setDraft({ ...draft, profileId })}
          options={props.options}
        />
      </Field>
      {draft.prefixes.map((row, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity until saved
        <div key={i} className="flex flex-wrap items-end gap-2">
          <Field label={t('prefix')}>
            <Input
              value={row.prefix}
              className="w-56 font-mono"
              onChange={(e) => setPrefix(i, { prefix: e.target.value })}
            />
          </Field>
          <Field label={t('other')}>
            <Select
              value={row.profileId}
              onValueChange={(profileId) => setPrefix(i, { profileId })}
              options={props.options}
            />
          </Field>
          <Button
            size="iconSm"
            variant="ghost"
            aria-label={t('removePrefix', { prefix: row.prefix })}
            onClick={() => setDraft({ ...draft, prefixes: draft.prefixes.toSpliced(i, 1) })}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      <May permission="policy.assign" instanceId={props.instanceId} instead>
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            onClick={() =>
              setDraft({ ...draft, prefixes: [...draft.prefixes, { prefix: '', profileId: draft.profileId }] })
            }
          >
            <Plus aria-hidden />
            {t('addPrefix')}
          </Button>
          <Button
            size="sm"
            variant="primary"
            disabled={!changed || newer !== null || draft.prefixes.some(({ prefix }) => prefix === '')}
            busy={save.isPending}
            onClick={() =>
              // Uses a promise, because the form is created again with the saved values, and callbacks of `mutate` would
              // be dropped.
              void save
                .mutateAsync({ ...draft, updatedAt: start.updatedAt })
                .then((saved) => {
                  onOpen(saved);
                  toast.success(t('saved'));
                })
                .catch(() => {})
            }
          >
            {t('save')}
          </Button>
        </div>
      </May>
    </CardBody>
  );
}
