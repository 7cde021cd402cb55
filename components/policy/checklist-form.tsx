import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSetChecklistItem } from '@/components/data/queries/policies/use-policy';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import { toast } from '@/components/ui/overlays/toast';
import type { ChecklistItem } from '@/lib/model/rules/policy';

const STATES = ['open', 'done', 'notApplicable'] as const;

/** The answer to one rule of the checklist. */
export function ChecklistForm(props: { instanceId: string; item: ChecklistItem; onClose: () => void }) {
  const t = useTranslations('policy.checklist');
  const { item } = props;
  const errorText = useErrorText();
  const save = useSetChecklistItem(props.instanceId);
  const [draft, setDraft] = useState(item);
  const changed = JSON.stringify(draft) !== JSON.stringify(item);
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(draft, {
          onSuccess: props.onClose,
          onError: (error) => void toast.error(errorText(error).hint),
        });
      }}
    >
      <Segmented
        size="sm"
        label={t('stateOf', { rule: item.rule })}
        value={draft.state}
        onValueChange={(state) => setDraft({ ...draft, state })}
        options={STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
      />
      <Field label={t('owner')} className="min-w-32 flex-1">
        <Input className="h-7" value={draft.owner} onChange={(e) => setDraft({ ...draft, owner: e.target.value })} />
      </Field>
      <Field label={t('date')} className="w-36">
        <Input
          className="h-7"
          type="date"
          // The day is stored as its noon in UTC, so that it is the same day in every time zone.
          value={draft.date === null ? '' : new Date(draft.date).toISOString().slice(0, 10)}
          onChange={(e) =>
            setDraft({ ...draft, date: e.target.value === '' ? null : Date.parse(`${e.target.value}T12:00:00Z`) })
          }
        />
      </Field>
      <Field label={t('note')} className="min-w-32 flex-1">
        <Input className="h-7" value={draft.note} onChange={(e) => setDraft({ ...draft, note: e.target.value })} />
      </Field>
      <Button size="sm" type="submit" disabled={!changed} busy={save.isPending}>
        {t('save')}
      </Button>
      <Button size="sm" variant="ghost" onClick={props.onClose}>
        {t('cancel')}
      </Button>
    </form>
  );
}
