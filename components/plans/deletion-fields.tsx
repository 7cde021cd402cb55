import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ChoiceCards } from '@/components/ui/forms/choice-cards';
import { Field } from '@/components/ui/forms/field';
import { Fold } from '@/components/ui/forms/fold';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import type { DeletionMode } from '@/lib/model/deletions/plan-request';
import { type DraftProps, NumberField } from './number-field';
import { isArchived } from './plan-draft';

const MODES: readonly DeletionMode[] = ['archive', 'quarantine', 'drain', 'unlink'];
const AFTERWARDS = ['archive', 'drain', 'unlink'] as const;
const EXPIRING = ['defuse', 'skip'] as const;

/** The mode of the deletion and how long it can be undone. Settings that are rarely changed are collapsed. */
export function DeletionFields(props: DraftProps & { offerInPlace: boolean }) {
  const t = useTranslations('deletions');
  const { draft, onChange, offerInPlace } = props;
  return (
    <>
      <ChoiceCards
        label={t('new.mode')}
        value={draft.mode}
        onValueChange={(mode) => onChange({ mode })}
        className="sm:grid-cols-2"
        options={[...MODES, ...(offerInPlace ? ['in_place' as const] : [])].map((value) => ({
          value,
          title: t(`mode.${value}.name`),
          text: t('new.modeText', { text: t(`mode.${value}.text`), undo: t(`mode.${value}.undo`) }),
        }))}
      />
      {draft.mode === 'quarantine' ? (
        <div className="grid gap-3 sm:grid-cols-2">
          <NumberField
            {...props}
            name="quarantineHours"
            label={t('new.quarantineHours')}
            hint={(time) => t('new.quarantineHint', { time })}
          />
          <Field
            label={t('new.afterQuarantine')}
            hint={
              <span className={draft.afterQuarantine === 'archive' ? undefined : 'text-warning'}>
                {t(`new.after.${draft.afterQuarantine}`)}
              </span>
            }
          >
            <Select
              value={draft.afterQuarantine}
              onValueChange={(afterQuarantine) => onChange({ afterQuarantine })}
              options={AFTERWARDS.map((value) => ({ value, label: t(`mode.${value}.name`) }))}
            />
          </Field>
        </div>
      ) : null}
      {isArchived(draft) ? (
        <NumberField
          {...props}
          name="retentionHours"
          label={t('new.retentionHours')}
          hint={(time) => t('new.retentionHint', { time })}
        />
      ) : null}
    </>
  );
}

/** How much a key may have changed, what happens to keys that expire soon, and which module types are allowed. */
export function AdvancedFields(props: DraftProps) {
  const t = useTranslations('deletions.new');
  const { draft, errors, onChange } = props;
  const types = draft.moduleTypes.trim();
  // Opened from the start if a value differs from the default.
  const isUnusual = draft.onExpiring !== 'defuse' || types !== '' || Number(draft.tolerancePercent) !== 10;
  const [open, setOpen] = useState(isUnusual);
  const isWrong = Boolean(errors.tolerancePercent || errors.moduleTypes);
  const summary = [
    t('toleranceSet', { percent: draft.tolerancePercent }),
    t(`expiringSet.${draft.onExpiring}`),
    ...(types === '' ? [] : [types]),
  ];
  return (
    <Fold title={t('advanced')} summary={summary.join(' · ')} open={open || isWrong} onOpenChange={setOpen}>
      <NumberField {...props} name="tolerancePercent" label={t('tolerance')} hint={() => t('toleranceHint')} />
      <Field label={t('onExpiring')} hint={t(`expiringText.${draft.onExpiring}`)}>
        <Select
          value={draft.onExpiring}
          onValueChange={(onExpiring) => onChange({ onExpiring })}
          options={EXPIRING.map((value) => ({ value, label: t(`expiring.${value}`) }))}
        />
      </Field>
      <Field
        label={t('moduleTypes')}
        hint={t('moduleTypesHint')}
        error={errors.moduleTypes ? t('errorModuleTypes') : undefined}
      >
        <Input
          className="font-mono"
          autoComplete="off"
          spellCheck={false}
          value={draft.moduleTypes}
          onChange={(event) => onChange({ moduleTypes: event.target.value })}
          onBlur={() => props.onLeave('moduleTypes')}
        />
      </Field>
    </Fold>
  );
}
