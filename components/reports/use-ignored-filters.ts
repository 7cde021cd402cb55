import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { buildFilterChips } from '@/components/reports/filter/filter-chips';
import { useFilter } from '@/components/reports/filter/use-filter';
import type { KeyFilter } from '@/lib/model/filter';

/**
 * Names the fields of the filter that one part of a page ignores, in words. null: it ignores none. `fields`: those that
 * the part filters by.
 */
export function useIgnoredFilters(fields: readonly (keyof KeyFilter)[] = []): string | null {
  const t = useTranslations('filters');
  const f = useFormat();
  const { filter } = useFilter();
  const left = buildFilterChips(filter).filter((chip) => !chip.fields.every((field) => fields.includes(field)));
  return left.length === 0 ? null : t('notAskedHere', { names: f.list(left.map(({ id }) => t(`name.${id}`))) });
}
