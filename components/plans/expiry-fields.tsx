import { useTranslations } from 'use-intl';
import { ChoiceCards } from '@/components/ui/forms/choice-cards';
import { type DraftProps, NumberField } from './number-field';
import { parseNumber } from './plan-draft';

/** An expiry in less than this many seconds needs a consent at the confirmation. */
const SHORT_SECONDS = 600;

/** The expiries to set, and which keys get them. */
export function ExpiryFields(props: DraftProps) {
  const t = useTranslations('deletions.new');
  const { draft, onChange } = props;
  const isShort = (parseNumber(draft, 'fromSeconds') ?? SHORT_SECONDS) < SHORT_SECONDS;
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <NumberField
          {...props}
          name="fromSeconds"
          label={t('from')}
          hint={(time) => t(isShort ? 'fromShort' : 'fromHint', { time })}
        />
        <NumberField {...props} name="windowSeconds" label={t('window')} hint={(time) => t('windowHint', { time })} />
      </div>
      <ChoiceCards
        label={t('only')}
        value={draft.only}
        onValueChange={(only) => onChange({ only })}
        className="sm:grid-cols-2"
        options={[
          { value: 'none', title: t('onlyNone'), text: t('onlyNoneText') },
          { value: 'all', title: t('onlyAll'), text: t('onlyAllText') },
        ]}
      />
    </>
  );
}
