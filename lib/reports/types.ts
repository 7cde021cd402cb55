import type { ReportQuery } from '@/lib/model/reports/query';
import type { TypesReport } from '@/lib/model/reports/reports';
import type { RolledSource } from './facts';
import { typeShares } from './type-shares';

/** How keys and bytes spread over types and over encodings. */
export const types = (source: RolledSource, query: ReportQuery): Promise<TypesReport> => typeShares(source, query);
