import { useTranslations } from 'use-intl';
import { UNKNOWN_TEXT, useFormat } from './use-format';

export type ValueKind = 'number' | 'compact' | 'bytes' | 'ms' | 'seconds' | 'share' | 'rate' | 'dateTime';

/**
 * A number with its unit. An unknown value shows `—` and says "unknown" on hover; shortened numbers show the exact one
 * on hover.
 */
export function Value({
  value,
  as,
  className,
}: {
  value: number | null | undefined;
  as: ValueKind;
  className?: string;
}) {
  const t = useTranslations('ui');
  const f = useFormat();
  if (value === null || value === undefined)
    return (
      <span className={className ?? 'text-muted-foreground'} title={t('unknown')}>
        {UNKNOWN_TEXT}
        <span className="sr-only"> {t('unknown')}</span>
      </span>
    );
  const exact = as === 'bytes' ? f.exactBytes(value) : as === 'compact' ? f.number(value) : undefined;
  return (
    <span className={className} title={exact}>
      {f[as](value)}
    </span>
  );
}
