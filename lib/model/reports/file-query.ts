import { z } from 'zod';
import { ReportQuery } from './query';
import { TABLE_NAMES } from './registry';

/** A report as JSON, or one of its tables (the first, when none is named) as a file. */
export const ReportFileQuery = ReportQuery.extend({
  format: z.enum(['json', 'csv', 'jsonl', 'parquet']).default('json'),
  table: z.enum(TABLE_NAMES).optional(),
});
