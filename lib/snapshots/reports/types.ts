import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypesReport } from '@/lib/model/reports/reports';
import type { RolledSource } from './facts';
import { typeShares } from './grouping/type-shares';
import { settingSavings } from './setting-savings';

/** Returns how keys and bytes are distributed over types and encodings. */
export async function types(source: RolledSource, { savings, ...query }: ReportQuery): Promise<TypesReport> {
  const shares = await typeShares(source, query);
  return savings ? { ...shares, savings: await settingSavings(source, query) } : shares;
}
