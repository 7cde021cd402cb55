import { z } from 'zod';
import { AnswerFormat } from './file-formats';
import { ReportQuery } from './query';
import { TABLE_NAMES } from './registry';

/** A report as JSON, or one of its tables (the first, when none is named) as a file. */
export const ReportFileQuery = ReportQuery.extend({
  format: AnswerFormat,
  table: z.enum(TABLE_NAMES).optional(),
});
export type ReportFileQuery = z.infer<typeof ReportFileQuery>;

/** The newest whole one, whenever it is asked. */
export const LATEST_SNAPSHOT = 'latest';

/** Of a question to an instance: which of its snapshots is meant. */
const OfInstance = z.object({
  snapshot: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .default(LATEST_SNAPSHOT),
});
export const InstanceReportQuery = ReportFileQuery.extend(OfInstance.shape);
export const InstanceFindingsQuery = ReportQuery.extend(OfInstance.shape);
