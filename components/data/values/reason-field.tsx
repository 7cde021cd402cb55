import { useTranslations } from 'use-intl';
import { Field } from '@/components/ui/forms/field';
import { Textarea } from '@/components/ui/forms/input';
import { MAX_REASON_LENGTH } from '@/lib/model/is-value-reason';

/** The reason for reading values of a production instance; readers of the audit log see it. */
export function ReasonField(props: { value: string; onChange: (text: string) => void }) {
  const t = useTranslations('keys.values');
  return (
    <Field label={t('reason')} hint={t('reasonHint')}>
      <Textarea
        rows={2}
        required
        maxLength={MAX_REASON_LENGTH}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Field>
  );
}
