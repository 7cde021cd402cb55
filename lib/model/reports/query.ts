import { z } from 'zod';
import { flag, GlobText, KeyFilter, numeric } from '../filter';
import { DELIMITER, NO_DELIMITER } from '../names/delimiter';

/** Parameters of a report request besides the filter; each report uses those it knows and ignores the rest. */
export const ReportQuery = KeyFilter.extend({
  /** `-bytes` = descending. */
  sort: z
    .string()
    .regex(/^-?[a-zA-Z]+$/)
    .max(20)
    .optional(),
  limit: numeric(z.number().int().min(1).max(1000)).optional(),
  /** Opaque, from the previous answer. */
  cursor: z.string().max(8192).optional(),
  /** tree: one or more delimiter characters. */
  delimiter: z.string().min(1).max(4).regex(DELIMITER, NO_DELIMITER).optional(),
  /** tree: only children whose segment begins with this or, if it has wildcards, matches it; sums cover only these. */
  match: GlobText.optional(),
  /**
   * tree: also return the largest parts of the largest children, by this measure, and the children that are not on the
   * page in groups by the beginnings of their names.
   */
  nested: z.enum(['keys', 'bytes']).optional(),
  /** tree: fold id-like segments (default true). */
  fold: flag,
  /** slots: simulate this many masters. */
  masters: numeric(z.number().int().min(1).max(1000)).optional(),
  /** idle: after how many days a key counts as idle. */
  days: numeric(z.number().min(0).max(36500)).optional(),
  /** types: also compute from the rows of the keys what other limits of compact encodings would save. */
  savings: flag,
  /** ttl: custom bucket bounds in seconds, ascending. */
  buckets: z.preprocess(
    (v) => (typeof v === 'string' ? v.split(',') : v),
    z
      .array(numeric(z.number().positive().max(Number.MAX_SAFE_INTEGER)))
      .min(1)
      .max(60)
      .optional(),
  ),
});
export type ReportQuery = z.infer<typeof ReportQuery>;
