import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { useTeams } from '@/components/data/queries/accounts/use-teams';
import { useSaveOwner } from '@/components/data/queries/policies/use-exemptions';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { toast } from '@/components/ui/overlays/toast';
import type { PrefixOwner } from '@/lib/model/rules/policy';

/** Assigns a prefix to a team; everything below the prefix inherits it. */
export function OwnerDialog(props: {
  instanceId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  start: { prefix?: string } | PrefixOwner;
  returnTo?: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('rules.owner');
  const save = useSaveOwner();
  const id = useId();
  const { data: teams = [] } = useTeams();
  const existing = 'id' in props.start ? props.start : null;
  const [prefix, setPrefix] = useState(props.start.prefix ?? '');
  const [team, setTeam] = useState(existing?.team ?? '');
  const submit = () =>
    save.mutate(
      {
        id: existing?.id,
        input: { instanceId: existing ? existing.instanceId : props.instanceId, prefix, team: team.trim() },
      },
      {
        onSuccess: () => {
          toast.success(t('saved'));
          props.onOpenChange(false);
        },
      },
    );
  return (
    <EditDialog
      open={props.open}
      title={t('title')}
      description={t('intro')}
      save={t('save')}
      ready={prefix !== '' && team.trim() !== ''}
      busy={save.isPending}
      error={save.error}
      onSave={submit}
      onClose={() => props.onOpenChange(false)}
      returnTo={props.returnTo}
    >
      <Field label={t('prefix')}>
        <Input value={prefix} onChange={(event) => setPrefix(event.target.value)} className="font-mono" />
      </Field>
      <Field label={t('team')}>
        <Input value={team} list={`${id}-teams`} onChange={(event) => setTeam(event.target.value)} />
      </Field>
      <datalist id={`${id}-teams`}>
        {teams.map(({ id: key, name }) => (
          <option key={key} value={name} />
        ))}
      </datalist>
    </EditDialog>
  );
}
