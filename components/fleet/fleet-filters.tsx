import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { FilterInput } from '@/components/ui/forms/filter-input';
import { Select } from '@/components/ui/forms/select';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { FLEET_GROUPS, type FleetGroup } from '@/lib/model/reports/fleet-filter';
import { createValueComparison } from '@/lib/model/reports/table-order';
import type { FleetView } from './use-fleet-view';

// Radix reserves '' for "nothing chosen", so "all" needs a value that no environment can have.
const ALL = '\u0000';

export function FleetFilters({ view, all, children }: { view: FleetView; all: FleetRow[]; children: ReactNode }) {
  const t = useTranslations('fleet');
  const locale = useLocale();
  // Sorted by the language of the page, which server and browser share, not by the language of the browser.
  const sortDistinct = (values: string[]) =>
    [...new Set(values.filter((value) => value !== ''))].sort(createValueComparison(locale));
  const environments = sortDistinct(all.map(({ instance }) => instance.environment));
  const tags = sortDistinct(all.flatMap(({ instance }) => instance.tags));
  return (
    <div className="flex flex-wrap items-center gap-2 border-b p-2.5">
      <FilterInput
        value={view.q}
        onValueChange={(q) => void view.set({ q: q === '' ? null : q })}
        placeholder={t('filter')}
      />
      {environments.length > 0 ? (
        <Select
          aria-label={t('environment')}
          value={view.env === '' ? ALL : view.env}
          onValueChange={(env) => void view.set({ env: env === ALL ? null : env })}
          options={[
            { value: ALL, label: t('allEnvironments') },
            ...environments.map((value) => ({ value, label: value })),
          ]}
        />
      ) : null}
      {tags.length > 0 ? (
        <Select
          aria-label={t('tag')}
          value={view.tag === '' ? ALL : view.tag}
          onValueChange={(tag) => void view.set({ tag: tag === ALL ? null : tag })}
          options={[{ value: ALL, label: t('allTags') }, ...tags.map((value) => ({ value, label: value }))]}
        />
      ) : null}
      <Select
        aria-label={t('group.label')}
        value={view.group}
        onValueChange={(group) => void view.set({ group: group === 'none' ? null : (group as FleetGroup) })}
        options={FLEET_GROUPS.map((value) => ({ value, label: t(`group.${value}`) }))}
      />
      <span className="num ml-auto px-1.5 text-muted-foreground text-xs">
        {t('count', { shown: view.rows.length, total: all.length })}
      </span>
      {children}
    </div>
  );
}
