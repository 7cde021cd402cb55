import { z } from 'zod';
import { ReportQuery } from '../reports/query';
import { SINCE_BASELINE, SINCE_PREVIOUS } from './comparison-words';

export const OneId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** The snapshot to compare with: the previous one of the whole keyspace, the baseline of the instance, or an id. */
export const Since = z.union([z.literal(SINCE_PREVIOUS), z.literal(SINCE_BASELINE), OneId]);

/** Whether `since` is of the same instance; else it is the id of any snapshot, which the reader may not be allowed to see. */
export const isChosenByServer = (since: string): boolean => since === SINCE_PREVIOUS || since === SINCE_BASELINE;

/** Findings, and the snapshot since which new and fixed keys are counted. */
export const FindingsQuery = ReportQuery.extend({ since: Since.optional() });
export type FindingsQuery = z.infer<typeof FindingsQuery>;
