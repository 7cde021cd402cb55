import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSaveOwner } from '@/components/data/queries/use-exemptions';
import { useTeams } from '@/components/data/queries/use-teams';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { toast } from '@/components/ui/overlays/toast';
import type { PrefixOwner } from '@/lib/model/rules/policy';

/** Which team a prefix belongs to, inherited by everything below. */
export function OwnerDialog(props: {
  instanceId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  start: { prefix?: string } | PrefixOwner;
  returnTo?: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('rules.owner');
  const errorText = useErrorText();
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
    <Dialog open={props.open} onOpenChange={props.onOpenChange}>
      <DialogContent
        title={t('title')}
        description={t('intro')}
        onSubmit={submit}
        returnTo={props.returnTo}
        footer={
          <>
            <Button onClick={() => props.onOpenChange(false)}>{t('cancel')}</Button>
            <Button
              variant="primary"
              busy={save.isPending}
              disabled={prefix === '' || team.trim() === ''}
              type="submit"
            >
              {t('save')}
            </Button>
          </>
        }
      >
        <div className="space-y-3">
          {save.error ? <Alert tone="danger">{errorText(save.error).hint}</Alert> : null}
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
        </div>
      </DialogContent>
    </Dialog>
  );
}
