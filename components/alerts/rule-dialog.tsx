import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { useSaveAlertRule } from '@/components/data/queries/alerts/use-alerts';
import { useInstances } from '@/components/data/queries/use-instances';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import { toVisibleText } from '@/components/ui/visible-text';
import type { AlertRule, AlertRuleInput } from '@/lib/model/alerts/alert';
import { ALERT_KINDS, type AlertKind, METRICS, SEVERITIES } from '@/lib/model/alerts/vocabulary';
import { useRuleName } from './alert-sentence';

const ALL = '*';
const NEW: AlertRuleInput = {
  ...{ name: '', kind: 'threshold', on: true, severity: 'warning', instanceId: null, metric: 'bigkeys' },
  ...{ direction: 'above', limit: null, clearAt: null, forSnapshots: 1, clearSnapshots: 1, hours: null, share: null },
};
/** Kinds of which several snapshots in a row can be asked for. */
const IN_A_ROW: readonly AlertKind[] = ['threshold', 'partial', 'scanFailed'];

/** Adds a rule (`rule` null), or changes one. */
export function RuleDialog({ rule, onClose }: { rule: AlertRule | null; onClose: () => void }) {
  const t = useTranslations('alerts');
  const instances = useInstances().data ?? [];
  const ruleName = useRuleName();
  const save = useSaveAlertRule();
  const [body, setBody] = useState<AlertRuleInput>(rule === null ? NEW : toInput(rule));
  const set = (change: Partial<AlertRuleInput>) => setBody({ ...body, ...change });
  const { kind } = body;
  const ready =
    body.name.trim() !== '' &&
    (kind !== 'threshold' || body.limit !== null) &&
    (kind !== 'notScanned' || body.hours !== null) &&
    (kind !== 'stormAhead' || body.share !== null);
  return (
    <EditDialog
      title={rule ? t('rule.editTitle', { name: ruleName(rule.name, rule.kind) }) : t('rule.add')}
      description={t(rule ? 'rule.editText' : 'rule.addText')}
      save={t('rule.save')}
      ready={ready}
      busy={save.isPending}
      error={save.error}
      onSave={() => save.mutate({ id: rule?.id ?? null, body: clean(body) }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Field label={t('rule.name')}>
        <Input
          value={body.name === kind ? ruleName(body.name, kind) : body.name}
          maxLength={80}
          autoComplete="off"
          onChange={({ target }) => set({ name: target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('rule.kind')}>
          <Select
            value={kind}
            disabled={rule !== null}
            onValueChange={(value) => set({ kind: value })}
            options={ALERT_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
          />
        </Field>
        <Field label={t('column.severity')}>
          <Select
            value={body.severity}
            onValueChange={(severity) => set({ severity })}
            options={SEVERITIES.map((value) => ({ value, label: t(`severity.${value}`) }))}
          />
        </Field>
      </div>
      {kind === 'channelFailing' ? null : (
        <Field label={t('column.instance')}>
          <Select
            value={body.instanceId ?? ALL}
            disabled={rule !== null}
            onValueChange={(value) => set({ instanceId: value === ALL ? null : value })}
            options={[
              { value: ALL, label: t('rule.everywhere') },
              ...instances.map(({ id, name }) => ({ value: id, label: toVisibleText(name) })),
            ]}
          />
        </Field>
      )}
      {kind === 'threshold' ? <ThresholdFields body={body} onChange={set} /> : null}
      {kind === 'notScanned' ? (
        <NumberField label={t('rule.hours')} value={body.hours} onChange={(hours) => set({ hours })} />
      ) : null}
      {kind === 'stormAhead' ? (
        <NumberField
          label={t('rule.share')}
          hint={t('rule.shareHint')}
          value={body.share === null ? null : Math.round(body.share * 100)}
          onChange={(percent) => set({ share: percent === null ? null : percent / 100 })}
        />
      ) : null}
      {IN_A_ROW.includes(kind) ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label={t('rule.forSnapshots')}
            value={body.forSnapshots}
            onChange={(value) => set({ forSnapshots: value ?? 1 })}
          />
          <NumberField
            label={t('rule.clearSnapshots')}
            value={body.clearSnapshots}
            onChange={(value) => set({ clearSnapshots: value ?? 1 })}
          />
        </div>
      ) : null}
    </EditDialog>
  );
}

function ThresholdFields(props: { body: AlertRuleInput; onChange: (change: Partial<AlertRuleInput>) => void }) {
  const t = useTranslations('alerts');
  const { body, onChange } = props;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('rule.metric')}>
        <Select
          value={body.metric ?? 'keys'}
          onValueChange={(metric) => onChange({ metric })}
          options={METRICS.map((value) => ({ value, label: t(`metric.${value}`) }))}
        />
      </Field>
      <Field label={t('rule.direction')}>
        <Select
          value={body.direction}
          onValueChange={(direction) => onChange({ direction })}
          options={(['above', 'below'] as const).map((value) => ({ value, label: t(`rule.${value}`) }))}
        />
      </Field>
      <NumberField
        label={t('rule.limit')}
        hint={body.metric === 'bytes' ? t('rule.inBytes') : undefined}
        value={body.limit}
        onChange={(limit) => onChange({ limit })}
      />
      <NumberField
        label={t('rule.clearAt')}
        hint={t('rule.clearAtHint')}
        value={body.clearAt}
        onChange={(clearAt) => onChange({ clearAt })}
      />
    </div>
  );
}

function NumberField(props: {
  label: string;
  hint?: string | undefined;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  return (
    <Field label={props.label} hint={props.hint}>
      <Input
        type="number"
        min={0}
        step="any"
        value={props.value ?? ''}
        onChange={({ target }) => props.onChange(target.value === '' ? null : Number(target.value))}
      />
    </Field>
  );
}

const toInput = ({ id: _, updatedAt: __, updatedBy: ___, ...input }: AlertRule): AlertRuleInput => input;

/** Drops what another kind has left. */
const clean = (body: AlertRuleInput): AlertRuleInput => {
  const isThreshold = body.kind === 'threshold';
  return {
    ...body,
    name: body.name.trim(),
    instanceId: body.kind === 'channelFailing' ? null : body.instanceId,
    metric: isThreshold ? (body.metric ?? 'keys') : null,
    limit: isThreshold ? body.limit : null,
    clearAt: isThreshold ? body.clearAt : null,
    hours: body.kind === 'notScanned' ? body.hours : null,
    share: body.kind === 'stormAhead' ? body.share : null,
    ...(!IN_A_ROW.includes(body.kind) && { forSnapshots: 1, clearSnapshots: 1 }),
  };
};
