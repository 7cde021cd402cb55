import { useTranslations } from 'use-intl';
import { Segmented } from '@/components/ui/forms/segmented';
import { VALUE_VIEWS, type ValueView } from './value-view';

/** Chooses how the values of a preview are shown. */
export function ViewSwitch({ view, onView }: { view: ValueView; onView: (view: ValueView) => void }) {
  const t = useTranslations('keys.page');
  return (
    <Segmented
      size="sm"
      label={t('viewLabel')}
      value={view}
      onValueChange={onView}
      options={VALUE_VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
    />
  );
}
