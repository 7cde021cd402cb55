import { Search, SlidersHorizontal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { createLazyPopoverContent, Popover, PopoverTrigger } from '@/components/ui/overlays/popover';
import { TypeBadge } from '@/components/ui/type-badge';
import { KEY_TYPES, LATE_TYPES } from '@/lib/model/keys/key-types';
import { DraftInput, GlobInput } from './draft-input';
import { buildFilterChips } from './filter-chips';
import { FilterChips } from './filter-chips-if-any';
import { useFilter } from './use-filter';

const SHOWN_IN_BAR = ['search', 'prefix', 'type', 'template'];
const Fields = createLazyPopoverContent(() => import('./filter-more-fields').then((loaded) => loaded.FilterMoreFields));

/**
 * The common filter: frequent fields are visible, the rest is in "More filters", and set fields are shown as chips. A
 * page that has its own control for prefix or type hides that field here.
 */
export function FilterBar({
  prefixFixed = false,
  typesFixed = false,
}: {
  prefixFixed?: boolean;
  typesFixed?: boolean;
}) {
  const t = useTranslations('filters');
  const { filter, set } = useFilter();
  const search = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || target.closest('input,textarea,[contenteditable]'))
        return;
      event.preventDefault();
      search.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  return (
    <search aria-label={t('title')} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <div className="relative w-56 max-sm:w-auto max-sm:flex-1">
          <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted-foreground" aria-hidden />
          <GlobInput
            ref={search}
            type="search"
            className="pl-8 sm:pr-8 [&::-webkit-search-cancel-button]:hidden"
            aria-label={t('search')}
            placeholder={t('searchHint')}
            value={filter.search ?? ''}
            maxLength={256}
            onCommit={(text) => set({ search: text || null })}
          />
          <kbd
            aria-hidden
            className="pointer-events-none absolute top-1.5 right-2 rounded border bg-muted max-sm:hidden px-1.5 font-mono text-2xs text-muted-foreground"
          >
            /
          </kbd>
        </div>
        {prefixFixed ? null : (
          <DraftInput
            className="w-48 font-mono max-sm:order-2 max-sm:w-full"
            aria-label={t('prefix')}
            placeholder={t('prefixHint')}
            value={filter.prefix ?? ''}
            maxLength={4096}
            spellCheck={false}
            autoCapitalize="none"
            onCommit={(text) => set({ prefix: text || null, template: null })}
          />
        )}
        {typesFixed ? null : <TypePills />}
        <FilterMore />
      </div>
      <FilterChips hidePrefix={prefixFixed} hideType={typesFixed} />
    </search>
  );
}

/** Chooses any number of types; if none is chosen, all are shown. */
function TypePills() {
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

/** The other fields, in a popover; the button says how many of them are set. */
function FilterMore() {
  const t = useTranslations('filters');
  const { filter } = useFilter();
  const count = buildFilterChips(filter).filter((chip) => !SHOWN_IN_BAR.includes(chip.id)).length;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button>
          <SlidersHorizontal aria-hidden />
          {t('more')}
          {count > 0 ? <Badge tone="accent">{count}</Badge> : null}
        </Button>
      </PopoverTrigger>
      <Fields />
    </Popover>
  );
}
