import { createContext, type ReactNode, useContext } from 'react';
import { useTranslations } from 'use-intl';
import { UNKNOWN_TEXT, useFormat } from './use-format';

export type ValueKind =
  | 'number'
  | 'compact'
  | 'bytes'
  | 'micros'
  | 'ms'
  | 'seconds'
  | 'share'
  | 'rate'
  | 'date'
  | 'dateTime';

/** Whether figures are read into a file: they are exact numbers in one unit, and times are in ISO 8601. */
export const ExactFigures = createContext(false);

const UNITS: { [K in ValueKind]?: string } = {
  bytes: 'bytes',
  micros: 'µs',
  ms: 'ms',
  seconds: 's',
  share: '0–1',
  rate: '/s',
};

/**
 * Parts of a cell that a file must not have, because a cell of a file holds one value, the same at every width: marks,
 * explanations, and values of columns that a narrow page hides.
 */
export function NotInFile({ children }: { children: ReactNode }) {
  return useContext(ExactFigures) ? null : children;
}

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
  const isInFile = useContext(ExactFigures);
  if (value === null || value === undefined)
    return (
      <span className={className ?? 'text-muted-foreground'} title={t('unknown')}>
        {UNKNOWN_TEXT}
        <span className="sr-only"> {t('unknown')}</span>
      </span>
    );
  if (isInFile && (as === 'date' || as === 'dateTime')) return <time dateTime={new Date(value).toISOString()} />;
  if (isInFile)
    return (
      <data value={value} data-unit={UNITS[as]}>
        {value}
      </data>
    );
  const exact = as === 'bytes' ? f.exactBytes(value) : as === 'compact' ? f.number(value) : undefined;
  return (
    <span className={className} title={exact}>
      {f[as](value)}
    </span>
  );
}
