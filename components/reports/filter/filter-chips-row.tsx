import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '@/components/data/format/use-format';
import { shortAxis } from '@/components/reports/short-axis';
import { Button } from '@/components/ui/button';
import { KeyName } from '@/components/ui/key-name';
import { type Chip, filterChips } from './filter-chips';
import { useFilter } from './use-filter';

const EXPIRY_LABELS: Record<string, 'expiryNone' | 'expiryAny' | 'expiryUnknown' | 'expiryExpired'> = {
  none: 'expiryNone',
  any: 'expiryAny',
  unknown: 'expiryUnknown',
  expired: 'expiryExpired',
};

function rangeText(chip: Chip, t: ReturnType<typeof useTranslations<'filters'>>, f: Format): string {
  const write =
    chip.kind === 'bytes'
      ? (v: number | undefined) => shortAxis(f.bytes(v))
      : chip.kind === 'seconds'
        ? f.seconds
        : f.number;
  const values = { min: write(chip.min), max: write(chip.max) };
  if (chip.min === undefined) return t('range.atMost', values);
  if (chip.max === undefined) return t('range.atLeast', values);
  return chip.min === chip.max ? t('range.exactly', values) : t('range.between', values);
}

interface FilterChipsProps {
  hidePrefix?: boolean;
  hideType?: boolean;
  /** Shown elsewhere on the page. */
  hidden?: readonly string[];
  /** Stands before the first, where there is one. */
  children?: ReactNode;
}

/** What is set, each with its own way out. */
export function FilterChips({ hidePrefix = false, hideType = false, hidden = [], children }: FilterChipsProps) {
  const t = useTranslations('filters');
  const f = useFormat();
  const { filter, set, clear } = useFilter();
  const chips = filterChips(filter)
    .filter((c) => !hidden.includes(c.id))
    .filter((c) => !(hidePrefix && (c.id === 'prefix' || c.id === 'template')))
    // A page's own control shows one type; several came by a link and are reported here.
    .filter((c) => !(hideType && c.id === 'type' && filter.type?.length === 1));
  if (chips.length === 0) return null;
  return (
    <ul aria-label={t('active')} className="flex flex-wrap items-center gap-1.5">
      {children ? <li>{children}</li> : null}
      {chips.map((chip) => {
        const name = t(`name.${chip.id}`);
        return (
          <li
            key={chip.id}
            className="inline-flex h-6 max-w-full items-center gap-1.5 rounded-md border bg-surface pl-2 text-xs"
          >
            <span className="text-muted-foreground">{name}</span>
            {chip.kind === 'text' ? <KeyName name={chip.text ?? ''} max={48} /> : null}
            {chip.kind === 'list' ? <span className="truncate">{chip.text}</span> : null}
            {chip.kind === 'expiry' ? t(EXPIRY_LABELS[chip.text ?? ''] ?? 'expiryAll') : null}
            {['bytes', 'seconds', 'count', 'slot'].includes(chip.kind) ? (
              <span className="num">{rangeText(chip, t, f)}</span>
            ) : null}
            <button
              type="button"
              aria-label={t('remove', { name })}
              className="flex h-full items-center rounded-r-md px-1.5 text-muted-foreground hover:bg-hover hover:text-foreground"
              onClick={() => set(Object.fromEntries(chip.fields.map((field) => [field, null])), 'push')}
            >
              <X className="size-3" aria-hidden />
            </button>
          </li>
        );
      })}
      {chips.length > 1 ? (
        <li>
          <Button variant="ghost" size="xs" onClick={clear}>
            {t('clear')}
          </Button>
        </li>
      ) : null}
    </ul>
  );
}
