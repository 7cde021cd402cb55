import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { translateIfKnown } from '@/components/data/translate-if-known';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { Select } from '@/components/ui/forms/select';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { CustomRule } from '@/lib/model/rules/policy';
import type { Strength } from '@/lib/model/rules/rules';
import { STRENGTHS } from '@/lib/model/rules/vocabulary';

/** The properties of a key that a threshold may limit. */
const COLUMNS = ['nameBytes', 'bytes', 'length', 'ttlSeconds', 'idleSeconds', 'segments'] as const;

/**
 * Edits a team's own rule. The server checks patterns and templates again when the profile is saved, and says what is
 * wrong with them.
 */
export function CustomRuleDialog(props: {
  rule: CustomRule | null;
  takenIds: string[];
  onClose: () => void;
  onSave: (rule: CustomRule) => void;
}) {
  const t = useTranslations('profiles.custom');
  const strengths = useTranslations('rules.strength');
  const [draft, setDraft] = useState<Record<string, string>>(() => toRuleDraft(props.rule));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const check = (draft.check ?? 'regex') as CustomRule['check'];
  const set = (name: string) => (event: { target: { value: string } }) =>
    setDraft({ ...draft, [name]: event.target.value });

  function submit() {
    const parsed = CustomRule.safeParse({
      ...draft,
      id: `X-${draft.id ?? ''}`,
      atMost: toNumberOrNull(draft.atMost),
      atLeast: toNumberOrNull(draft.atLeast),
      types: (draft.types ?? '').split(/[,\s]+/).filter(Boolean),
      on: props.rule?.on ?? true,
    });
    // Each field has one sentence in the reader's language, whatever the schema says.
    const getProblem = (field: PropertyKey) => translateIfKnown(t, `problems.${String(field)}`) ?? '';
    if (!parsed.success)
      setProblems(
        Object.fromEntries(parsed.error.issues.map(({ path: [field = 'id'] }) => [field, getProblem(field)])),
      );
    else if (props.takenIds.includes(parsed.data.id)) setProblems({ id: t('taken') });
    else if (parsed.data.check === 'threshold' && parsed.data.atLeast === null && parsed.data.atMost === null)
      setProblems({ atLeast: t('problems.bounds') });
    else props.onSave(parsed.data);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()}>
      <DialogContent
        title={t(props.rule ? 'titleChange' : 'titleAdd')}
        description={t('dialogIntro')}
        onSubmit={submit}
        footer={
          <>
            <Button onClick={props.onClose}>{t('cancel')}</Button>
            <Button variant="primary" type="submit">
              {t('take')}
            </Button>
          </>
        }
      >
        <div className="space-y-3">
          <Field label={t('id')} error={problems.id} hint={t('idHint')}>
            <Input value={draft.id ?? ''} onChange={set('id')} className="font-mono" />
          </Field>
          <Field label={t('name')} error={problems.title}>
            <Input value={draft.title ?? ''} onChange={set('title')} />
          </Field>
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={t('check')}>
              <Select
                value={check}
                onValueChange={(value) => setDraft({ ...draft, check: value })}
                options={(['regex', 'template', 'threshold'] as const).map((value) => ({
                  value,
                  label: t(`checks.${value}`),
                }))}
              />
            </Field>
            <Field label={t('strength')}>
              <Select
                value={(draft.strength ?? 'recommended') as Strength}
                onValueChange={(value) => setDraft({ ...draft, strength: value })}
                options={STRENGTHS.map((value) => ({ value, label: strengths(value) }))}
              />
            </Field>
          </div>
          {check === 'regex' ? (
            <>
              <Field label={t('pattern')} error={problems.pattern} hint={t('patternHint')}>
                <Input value={draft.pattern ?? ''} onChange={set('pattern')} className="font-mono" />
              </Field>
              <Field label={t('must')}>
                <Select
                  value={(draft.must ?? 'match') as 'match' | 'notMatch'}
                  onValueChange={(value) => setDraft({ ...draft, must: value })}
                  options={[
                    { value: 'match', label: t('mustMatch') },
                    { value: 'notMatch', label: t('mustNotMatch') },
                  ]}
                />
              </Field>
            </>
          ) : null}
          {check === 'template' ? (
            <Field label={t('template')} error={problems.template} hint={t('templateHint')}>
              <Input value={draft.template ?? ''} onChange={set('template')} className="font-mono" />
            </Field>
          ) : null}
          {check === 'threshold' ? (
            <div className="grid gap-3 sm:grid-cols-2">
              <Field label={t('column')}>
                <Select
                  value={(draft.column ?? 'bytes') as (typeof COLUMNS)[number]}
                  onValueChange={(value) => setDraft({ ...draft, column: value })}
                  options={COLUMNS.map((value) => ({ value, label: t(`columns.${value}`) }))}
                />
              </Field>
              <Field label={t('types')} error={problems.types} hint={t('typesHint')}>
                <Input value={draft.types ?? ''} onChange={set('types')} className="font-mono" />
              </Field>
              <Field label={t('atLeast')} error={problems.atLeast}>
                <Input inputMode="decimal" value={draft.atLeast ?? ''} onChange={set('atLeast')} />
              </Field>
              <Field label={t('atMost')} error={problems.atMost}>
                <Input inputMode="decimal" value={draft.atMost ?? ''} onChange={set('atMost')} />
              </Field>
            </div>
          ) : null}
          <Field label={t('prefix')} error={problems.prefix} hint={t('prefixHint')}>
            <Input value={draft.prefix ?? ''} onChange={set('prefix')} className="font-mono" />
          </Field>
        </div>
      </DialogContent>
    </Dialog>
  );
}

const toNumberOrNull = (text: string | undefined) => (text === undefined || text.trim() === '' ? null : Number(text));

/** The fields of the form, all as text. */
function toRuleDraft(rule: CustomRule | null): Record<string, string> {
  const defaults = { check: 'regex', strength: 'recommended', must: 'match', column: 'bytes' };
  if (rule === null) return defaults;
  const texts = Object.entries(rule).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  const types = rule.check === 'threshold' ? rule.types.join(', ') : '';
  return { ...defaults, ...Object.fromEntries(texts), id: rule.id.replace(/^X-/, ''), types };
}
