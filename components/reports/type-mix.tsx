import { useTranslations } from 'use-intl';
import { getTypeToken } from '@/components/charts/scales/type-colors';
import { StackedBar } from '@/components/charts/stacked-bar';
import { useFormat } from '@/components/data/format/use-format';

/** The types under a prefix as one thin bar; names and numbers are shown on hover and read by screen readers. */
export function TypeMix({ types, className }: { types: Record<string, number>; className: string }) {
  const f = useFormat();
  const t = useTranslations('filters');
  const segments = Object.entries(types)
    .sort((a, b) => b[1] - a[1])
    .map(([type, value]) => ({
      id: type,
      label: type === 'unknown' ? t('type.unknown') : type,
      value,
      valueLabel: f.number(value),
      color: getTypeToken(type),
    }));
  return <StackedBar segments={segments} className={className} />;
}
