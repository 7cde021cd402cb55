import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useFilter } from '@/components/reports/filter/use-filter';
import { cn } from '@/components/ui/cn';
import { TypeBadge } from '@/components/ui/type-badge';
import type { BigkeysReport } from '@/lib/model/reports/reports';
import { createValueComparison } from '@/lib/model/reports/table-order';

/** One tab per type that has bigkeys, with its count. Choosing a tab sets the common type filter in the address. */
export function TypeTabs({ report, children }: { report: BigkeysReport; children: ReactNode }) {
  const t = useTranslations('bigkeys');
  const f = useFormat();
  const { filter, set } = useFilter();
  // With several types, which only a link can choose, no tab is marked.
  const chosen = filter.type?.length === 1 ? filter.type[0] : undefined;
  const { byType } = report;
  // Sorts by the language of the page, so that server and browser agree whatever language the browser has.
  const compare = createValueComparison(useLocale());
  const tabs = [
    // null: all types.
    { type: null, keys: byType.reduce((sum, row) => sum + row.keys, 0) },
    ...byType.filter((row) => row.type !== null).sort((a, b) => b.keys - a.keys || compare(a.type, b.type)),
  ];
  return (
    <div className="flex items-center gap-2 border-b pr-2.5">
      {/* biome-ignore lint/a11y/useSemanticElements: filter buttons, not a form */}
      <div role="group" aria-label={t('tabs')} className="flex min-w-0 flex-1 gap-1 overflow-x-auto px-2.5 pt-2">
        {tabs.map((tab) => {
          const on = tab.type === null ? !filter.type : chosen === tab.type;
          return (
            <button
              key={tab.type ?? 'all'}
              type="button"
              aria-pressed={on}
              onClick={() => set({ type: on || tab.type === null ? null : [tab.type] }, 'push')}
              className={cn(
                '-mb-px flex h-9 shrink-0 items-center gap-2 border-b-2 px-1.5 font-medium text-sm',
                on
                  ? 'border-accent-solid text-foreground'
                  : 'border-transparent text-muted-foreground hover:text-foreground',
              )}
            >
              {tab.type === null ? t('all') : <TypeBadge type={tab.type} className="text-sm" />}
              <span className="num text-muted-foreground text-xs">{f.number(tab.keys)}</span>
            </button>
          );
        })}
      </div>
      {children}
    </div>
  );
}
