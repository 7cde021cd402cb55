import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypesReport } from '@/lib/model/reports/reports';
import type { RolledSource } from './facts';
import { computeTypeShares } from './grouping/type-shares';
import { findSettingSavings } from './setting-savings';

/** Returns how keys and bytes are distributed over types and encodings. */
export async function buildTypesReport(source: RolledSource, { savings, ...query }: ReportQuery): Promise<TypesReport> {
  const shares = await computeTypeShares(source, query);
  return savings ? { ...shares, savings: await findSettingSavings(source, query) } : shares;
}
