import { useTranslations } from 'use-intl';
import { useFilter } from '@/components/reports/filter/use-filter';
import { cn } from '@/components/ui/cn';
import { TypeBadge } from '@/components/ui/type-badge';
import { KEY_TYPES, LATE_TYPES } from '@/lib/model/keys/key-types';

/** Chooses any number of types; if none is chosen, all are shown. */
export function TypePills() {
  const t = useTranslations('filters');
  const { filter, set } = useFilter();
  const chosen = filter.type ?? [];
  return (
    <fieldset
      aria-label={t('types')}
      className="inline-flex h-8 min-w-0 items-center gap-0.5 rounded-md border border-control-border bg-surface p-0.5 shadow-card max-sm:order-3 max-sm:w-full max-sm:overflow-x-auto"
    >
      {KEY_TYPES.filter((type) => !LATE_TYPES.has(type) || chosen.includes(type)).map((type) => {
        const on = chosen.includes(type);
        const next = on ? chosen.filter((other) => other !== type) : [...chosen, type];
        return (
          <button
            key={type}
            type="button"
            aria-pressed={on}
            onClick={() => set({ type: next.length > 0 ? next : null })}
            className={cn(
              'inline-flex h-6.5 shrink-0 items-center rounded-[5px] px-2 transition-colors',
              on ? 'bg-accent-soft text-accent' : 'text-muted-foreground hover:bg-hover hover:text-foreground',
            )}
          >
            <TypeBadge type={type} />
          </button>
        );
      })}
    </fieldset>
  );
}
