import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { GrantFields } from '@/components/data/grant-fields';
import { useAddTeam, useUpdateTeam } from '@/components/data/queries/use-teams';
import { useUsers } from '@/components/data/queries/use-users';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import type { Grant } from '@/lib/model/access';
import type { Team } from '@/lib/model/teams';

/** A new team (`team` null), or the members and grants of one. */
export function TeamDialog(props: {
  team: Team | null;
  onClose: () => void;
  returnTo?: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('users.team');
  const errorText = useErrorText();
  const { team, onClose } = props;
  const { data: users = [] } = useUsers(true);
  const add = useAddTeam();
  const update = useUpdateTeam();
  const [name, setName] = useState(team?.name ?? '');
  const [members, setMembers] = useState<string[]>(team?.members?.map(({ id }) => id) ?? []);
  const [grants, setGrants] = useState<Grant[]>(team?.grants ?? []);
  const byProvider = new Set(team?.members?.filter((one) => one.byProvider).map(({ id }) => id));
  const ready = name.trim() !== '' && grants.every(({ value }) => value.trim() !== '');
  const failed = add.error ?? update.error;
  const submit = () => {
    if (!ready) return;
    if (team) update.mutate({ id: team.id, members, grants }, { onSuccess: onClose });
    else add.mutate({ name: name.trim(), members, grants }, { onSuccess: onClose });
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={team ? t('editTitle', { name: team.name }) : t('add')}
        description={t('text')}
        onSubmit={submit}
        returnTo={props.returnTo}
        footer={
          <>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button type="submit" variant="primary" busy={add.isPending || update.isPending} disabled={!ready}>
              {t('save')}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          {failed ? (
            <Alert tone="danger" title={errorText(failed).title}>
              {errorText(failed).hint}
            </Alert>
          ) : null}
          {team ? null : (
            <Field label={t('name')} hint={t('nameHint')}>
              <Input value={name} autoComplete="off" maxLength={64} onChange={(event) => setName(event.target.value)} />
            </Field>
          )}
          <fieldset className="space-y-2">
            <legend className="font-medium">{t('members')}</legend>
            <div className="max-h-48 space-y-1 overflow-y-auto">
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
        </div>
      </DialogContent>
    </Dialog>
  );
}
