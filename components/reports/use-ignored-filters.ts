import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { buildFilterChips } from '@/components/reports/filter/filter-chips';
import { useFilter } from '@/components/reports/filter/use-filter';
import type { KeyFilter } from '@/lib/model/filter';

/**
 * Says which fields of the current filter one part of a page ignores; null: none. `fields`: the fields that the part
 * filters by.
 */
export function useIgnoredFilters(fields: readonly (keyof KeyFilter)[] = []): string | null {
  const t = useTranslations('filters');
  const f = useFormat();
  const { filter } = useFilter();
  const ignored = buildFilterChips(filter).filter((chip) => !chip.fields.every((field) => fields.includes(field)));
  return ignored.length === 0 ? null : t('notAskedHere', { names: f.list(ignored.map(({ id }) => t(`name.${id}`))) });
}
