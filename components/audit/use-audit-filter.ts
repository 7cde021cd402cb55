import { parseAsString, useQueryStates } from 'nuqs';
import type { AuditQuery } from '@/components/data/queries/use-audit-log';

const PARSERS = {
  person: parseAsString,
  action: parseAsString,
  instance: parseAsString,
  /** Days of the reader's own calendar, `2026-01-31`. Both days are included. */
  from: parseAsString,
  to: parseAsString,
};

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Midnight at the beginning of the day that is `later` days after `day`, in the reader's time zone, epoch ms. null: no
 * day is chosen.
 */
function getMidnight(day: string | null, later: number): number | null {
  const [, year, month, date] = DAY.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).getTime();
}

/** The filter of the audit log, kept in the address, and the query that it sends to the server. */
export function useAuditFilter() {
  const [filter, setFilter] = useQueryStates(PARSERS, { history: 'replace' });
  const { from, to, ...rest } = filter;
  const query: AuditQuery = { ...rest, from: getMidnight(from, 0), to: getMidnight(to, 1) };
  const isSet = Object.values(filter).some((value) => value !== null);
  return {
    filter,
    query,
    isSet,
    change: (next: Partial<typeof filter>) => void setFilter(next),
    clear: () => void setFilter(null),
  };
}
export type AuditFilterState = ReturnType<typeof useAuditFilter>;
