import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { useAddSilence, useAlertRules } from '@/components/data/queries/alerts/use-alerts';
import { useInstances } from '@/components/data/queries/use-instances';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import { toVisibleText } from '@/components/ui/visible-text';
import type { SilenceInput } from '@/lib/model/alerts/alert';
import { useRuleName } from './alert-sentence';

const ANY = '*';
const HOUR_MS = 3_600_000;
/** Offered durations, in hours. */
const HOURS = ['2', '12', '24', '168', '720', '2160'] as const;

/** Silences alerts until a time. `start`: what is filled in. */
export function SilenceDialog({ start, onClose }: { start: Partial<SilenceInput>; onClose: () => void }) {
  const t = useTranslations('alerts');
  const ruleName = useRuleName();
  const instances = useInstances().data ?? [];
  const rules = useAlertRules().data ?? [];
  const add = useAddSilence();
  const [ruleId, setRuleId] = useState(start.ruleId ?? ANY);
  const [instanceId, setInstanceId] = useState(start.instanceId ?? ANY);
  const [team, setTeam] = useState(start.team ?? '');
  const [subject, setSubject] = useState(start.subject ?? '');
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState<(typeof HOURS)[number]>('24');
  const matchesSome = ruleId !== ANY || instanceId !== ANY || team.trim() !== '' || subject !== '';
  const submit = () =>
    add.mutate(
      {
        ruleId: ruleId === ANY ? null : ruleId,
        instanceId: instanceId === ANY ? null : instanceId,
        team: team.trim() || null,
        subject: subject || null,
        reason: reason.trim(),
        endsAt: Date.now() + Number(hours) * HOUR_MS - 1000,
      },
      { onSuccess: onClose },
    );
  return (
    <EditDialog
      title={t('silence.add')}
      description={t('silence.text')}
      save={t('silence.save')}
      ready={matchesSome && reason.trim() !== ''}
      busy={add.isPending}
      error={add.error}
      onSave={submit}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('column.rule')}>
          <Select
            value={ruleId}
            onValueChange={setRuleId}
            options={[
              { value: ANY, label: t('silence.any') },
              ...rules.map(({ id, name, kind }) => ({ value: id, label: toVisibleText(ruleName(name, kind)) })),
            ]}
          />
        </Field>
        <Field label={t('column.instance')}>
          <Select
            value={instanceId}
            onValueChange={setInstanceId}
            options={[
              { value: ANY, label: t('rule.everywhere') },
              ...instances.map(({ id, name }) => ({ value: id, label: toVisibleText(name) })),
            ]}
          />
        </Field>
        <Field label={t('column.team')} optional={t('optional')}>
          <Input value={team} maxLength={80} autoComplete="off" onChange={({ target }) => setTeam(target.value)} />
        </Field>
        <Field label={t('silence.subject')} optional={t('optional')}>
          <Input
            value={subject}
            maxLength={500}
            autoComplete="off"
            className="font-mono"
            onChange={({ target }) => setSubject(target.value)}
          />
        </Field>
      </div>
      <Field label={t('silence.reason')}>
        <Input value={reason} maxLength={300} autoComplete="off" onChange={({ target }) => setReason(target.value)} />
      </Field>
      <Field label={t('silence.for')}>
        <Select
          value={hours}
          onValueChange={setHours}
          options={HOURS.map((value) => ({ value, label: t('silence.hours', { hours: Number(value) }) }))}
        />
      </Field>
    </EditDialog>
  );
}
