import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { parseNumbers } from './parse-quantity';
import { useDraft } from './use-draft';
import { useFilter } from './use-filter';

/** A list of numbers as a person types it. Invalid text stays in the field, marked, and does not filter. */
export function FilterList({ name }: { name: 'db' | 'node' }) {
  const t = useTranslations('filters');
  const { filter, set } = useFilter();
  const commit = (text: string) => {
    const numbers = parseNumbers(text);
    if (numbers !== null) set({ [name]: numbers ?? null });
  };
  const draft = useDraft((filter[name] ?? []).join(', '), commit, 600);
  const bad = parseNumbers(draft.text) === null;
  return (
    <Field label={t(`name.${name}`)} error={bad ? t('notUnderstood', { examples: t(`hint.${name}`) }) : undefined}>
      <Input
        value={draft.text}
        placeholder={t(`hint.${name}`)}
        inputMode="numeric"
        onChange={(e) => draft.change(e.target.value)}
        onBlur={draft.flush}
      />
    </Field>
  );
}
