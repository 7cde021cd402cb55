import { useTranslations } from 'use-intl';
import { cn } from './cn';

/** One colour per Redis type, the same in every table and chart. */
const TYPE_COLOURS: Record<string, string> = {
  string: 'var(--chart-1)',
  hash: 'var(--chart-2)',
  list: 'var(--chart-3)',
  set: 'var(--chart-4)',
  zset: 'var(--chart-5)',
  stream: 'var(--chart-6)',
};

export function getTypeColor(type: string | null): string {
  if (type === null) return 'var(--chart-8)';
  return TYPE_COLOURS[type] ?? 'var(--chart-7)';
}

/** The type of a key; null: it could not be read, which the badge says in words. */
export function TypeBadge({ type, className }: { type: string | null; className?: string }) {
  const t = useTranslations('ui');
  return (
    <span className={cn('inline-flex items-center gap-1.5 whitespace-nowrap text-xs', className)}>
      <span className="size-2 shrink-0 rounded-[2px]" style={{ background: getTypeColor(type) }} aria-hidden />
      {type ?? t('unknown')}
    </span>
  );
}
