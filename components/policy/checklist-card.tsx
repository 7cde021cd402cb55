import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { May } from '@/components/data/may';
import { useChecklist, useSetChecklistItem } from '@/components/data/queries/use-policy';
import { useErrorText } from '@/components/data/use-error-text';
import { RuleId } from '@/components/rules/rule-id';
import { StandardNames } from '@/components/rules/standard-names';
import { useRuleText } from '@/components/rules/use-rule-text';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Segmented } from '@/components/ui/forms/segmented';
import { toast } from '@/components/ui/overlays/toast';
import { SkeletonRows } from '@/components/ui/skeleton';
import type { ChecklistItem } from '@/lib/model/rules/policy';

const STATES = ['open', 'done', 'notApplicable'] as const;

/** Rules that no machine can check: answered by people, with owner and date. */
export function ChecklistCard({ instanceId }: { instanceId: string }) {
  const t = useTranslations('policy.checklist');
  const { data, error, refetch } = useChecklist(instanceId);
  const done = data?.filter((item) => item.state !== 'open').length ?? 0;
  return (
    <Card id="checklist">
      <CardHeader
        title={t('title')}
        actions={
          <May permission="policy.edit" instanceId={instanceId} reason>
            {null}
          </May>
        }
        description={data ? t('progress', { done, count: data.length }) : t('intro')}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <ul className="divide-y">
          {data.map((item) => (
            <Item key={`${item.rule} ${item.updatedAt}`} instanceId={instanceId} item={item} />
          ))}
        </ul>
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Card>
  );
}

function Item({ instanceId, item }: { instanceId: string; item: ChecklistItem }) {
  const t = useTranslations('policy.checklist');
  const errorText = useErrorText();
  const text = useRuleText()(item.rule);
  const save = useSetChecklistItem(instanceId);
  const [draft, setDraft] = useState(item);
  const changed = JSON.stringify(draft) !== JSON.stringify(item);
  return (
    <li className="grid gap-3 px-4 py-3 text-sm lg:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      <div className="flex items-start gap-2.5">
        <RuleId id={item.rule} />
        <div className="min-w-0">
          <h3 className="font-medium">{text.title}</h3>
          {text.info ? <StandardNames sources={text.info.sources} /> : null}
          <p className="mt-1 text-muted-foreground text-xs">
            {text.why} {text.fix}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-end gap-2">
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
            value={draft.date === null ? '' : new Date(draft.date).toISOString().slice(0, 10)}
            onChange={(e) =>
              setDraft({ ...draft, date: e.target.value === '' ? null : Date.parse(`${e.target.value}T12:00:00Z`) })
            }
          />
        </Field>
        <Field label={t('note')} className="min-w-32 flex-1">
          <Input className="h-7" value={draft.note} onChange={(e) => setDraft({ ...draft, note: e.target.value })} />
        </Field>
        <May permission="policy.edit" instanceId={instanceId}>
          <Button
            size="sm"
            disabled={!changed}
            busy={save.isPending}
            onClick={() => save.mutate(draft, { onError: (error) => toast.error(errorText(error).hint) })}
          >
            {t('save')}
          </Button>
        </May>
      </div>
    </li>
  );
}
