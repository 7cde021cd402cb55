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

export function FleetFilters({ view, all, children }: { view: FleetView; all: FleetRow[]; children?: ReactNode }) {
  const t = useTranslations('fleet');
  const lang = useLocale();
  const environments = listDistinct(
    all.map((r) => r.instance.environment),
    lang,
  );
  const tags = listDistinct(
    all.flatMap((r) => r.instance.tags),
    lang,
  );
  return (
    <div className="flex flex-wrap items-center gap-2 border-b p-2.5">
      <FilterInput
        value={view.q}
        onValueChange={(q) => void view.set({ q: q === '' ? null : q })}
        placeholder={t('filter')}
        className="w-full sm:w-72"
      />
      {environments.length > 0 ? (
        <Select
          aria-label={t('environment')}
          value={view.env === '' ? ALL : view.env}
          onValueChange={(v) => void view.set({ env: v === ALL ? null : v })}
          options={[{ value: ALL, label: t('allEnvironments') }, ...environments.map((e) => ({ value: e, label: e }))]}
        />
      ) : null}
      {tags.length > 0 ? (
        <Select
          aria-label={t('tag')}
          value={view.tag === '' ? ALL : view.tag}
          onValueChange={(v) => void view.set({ tag: v === ALL ? null : v })}
          options={[{ value: ALL, label: t('allTags') }, ...tags.map((e) => ({ value: e, label: e }))]}
        />
      ) : null}
      <Select
        aria-label={t('group.label')}
        value={view.group}
        onValueChange={(v) => void view.set({ group: v === 'none' ? null : (v as FleetGroup) })}
        options={FLEET_GROUPS.map((value) => ({ value, label: t(`group.${value}`) }))}
      />
      <span className="num ml-auto px-1.5 text-muted-foreground text-xs">
        {t('count', { shown: view.rows.length, total: all.length })}
      </span>
      {children}
    </div>
  );
}

/**
 * The distinct values in the order of the table. They are sorted by the language of the page, which server and browser
 * share, not by the browser's language.
 */
function listDistinct(values: string[], lang: string): string[] {
  return [...new Set(values.filter((v) => v !== ''))].sort(createValueComparison(lang));
}
