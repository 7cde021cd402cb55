import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { GrantFields } from '@/components/data/forms/grant-fields';
import { useAddTeam, useUpdateTeam } from '@/components/data/queries/accounts/use-teams';
import { useUsers } from '@/components/data/queries/accounts/use-users';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import type { Grant } from '@/lib/model/access';
import type { Team } from '@/lib/model/accounts/teams';
import { TeamPrefixes } from './team-prefixes';

/** Creates a team (`team` null), or edits the members and grants of one. */
export function TeamDialog({ team, onClose }: { team: Team | null; onClose: () => void }) {
  const t = useTranslations('users.team');
  const { data: users = [] } = useUsers(true);
  const add = useAddTeam();
  const update = useUpdateTeam();
  const [name, setName] = useState(team?.name ?? '');
  const [members, setMembers] = useState<string[]>(team?.members?.map(({ id }) => id) ?? []);
  const [grants, setGrants] = useState<Grant[]>(team?.grants ?? []);
  // Members by a group of their identity provider cannot be removed here.
  const byProvider = new Set(team?.members?.filter((member) => member.byProvider).map(({ id }) => id));
  const ready = name.trim() !== '' && grants.every(({ value }) => value.trim() !== '');
  const submit = () => {
    if (team) update.mutate({ id: team.id, members, grants }, { onSuccess: onClose });
    else add.mutate({ name: name.trim(), members, grants }, { onSuccess: onClose });
  };
  return (
    <EditDialog
      title={team ? t('editTitle', { name: team.name }) : t('add')}
      description={t('text')}
      save={t('save')}
      ready={ready}
      busy={add.isPending || update.isPending}
      error={add.error ?? update.error}
      onSave={submit}
      onClose={onClose}
    >
      {team ? null : (
        <Field label={t('name')} hint={t('nameHint')}>
          <Input value={name} autoComplete="off" maxLength={80} onChange={(event) => setName(event.target.value)} />
        </Field>
      )}
      <fieldset className="space-y-2">
        <legend className="font-medium">{t('members')}</legend>
        <div className="-m-1 max-h-48 space-y-1 overflow-y-auto p-1">
          {users.map((user) => (
            <label key={user.id} className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={members.includes(user.id)}
                disabled={byProvider.has(user.id)}
                onChange={({ target }) =>
                  setMembers(target.checked ? [...members, user.id] : members.filter((id) => id !== user.id))
                }
              />
              <bdi>{byProvider.has(user.id) ? t('byGroup', { name: user.name }) : user.name}</bdi>
            </label>
          ))}
        </div>
      </fieldset>
      <GrantFields grants={grants} onChange={setGrants} />
      {team ? (
        <section className="space-y-1" aria-label={t('prefixes')}>
          <h3 className="font-medium">{t('prefixes')}</h3>
          <div className="max-h-32 overflow-y-auto text-sm">
            <TeamPrefixes team={team.name} />
          </div>
          <p className="text-muted-foreground text-xs">{t('prefixesHint')}</p>
        </section>
      ) : null}
    </EditDialog>
  );
}
