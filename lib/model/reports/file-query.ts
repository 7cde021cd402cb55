import { z } from 'zod';
import { AuditFilter } from '../audit';
import { ComparedGroupsQuery, ComparedKeysQuery } from '../comparison/comparison';
import { FindingsQuery, OneId } from '../comparison/since';
import { ItemQuery } from '../deletions/deletion-item';
import { numeric } from '../filter';
import { PAGE_LANGUAGES } from '../language';
import { RULE_AREAS, STANDARDS, STRENGTHS } from '../rules/vocabulary';
import { FILE_FORMATS } from './file-formats';
import { FINDINGS_TABLES } from './findings-tables';
import { ReportQuery } from './query';
import { TABLE_NAMES } from './registry';

/** The format of an answer that is JSON unless a file is requested. */
const AnswerFormat = z.enum(['json', ...FILE_FORMATS]).default('json');

/** Query of a report: the report as JSON, or one of its tables (by default the first) as a file. */
export const ReportFileQuery = ReportQuery.extend({
  format: AnswerFormat,
  table: z.enum(TABLE_NAMES).optional(),
});
export type ReportFileQuery = z.infer<typeof ReportFileQuery>;

/** Query of findings, like `ReportFileQuery`. `only` and `area` limit a file of rules to that strength and area. */
export const FindingsFileQuery = FindingsQuery.extend({
  format: AnswerFormat,
  table: z.enum(FINDINGS_TABLES).optional(),
  only: z.enum(STRENGTHS).optional(),
  area: z.enum(RULE_AREAS).optional(),
});
export type FindingsFileQuery = z.infer<typeof FindingsFileQuery>;

/** Query of keys: a page as JSON, or all rows as a file. */
export const RowsFileQuery = ReportQuery.extend({ format: AnswerFormat });
export type RowsFileQuery = z.infer<typeof RowsFileQuery>;

/** Query of the places where one rule is violated: a page as JSON, or all rows as a file. */
export const RuleFileQuery = FindingsQuery.extend({ format: AnswerFormat });
export type RuleFileQuery = z.infer<typeof RuleFileQuery>;

/** What differs from another snapshot: a page as JSON, or all rows as a file. */
export const ComparedGroupsFileQuery = ComparedGroupsQuery.extend({ format: AnswerFormat });
export const ComparedKeysFileQuery = ComparedKeysQuery.extend({ format: AnswerFormat });

/** Means the newest complete snapshot at the time of the request. */
export const LATEST_SNAPSHOT = 'latest';

/** The snapshot that a request to an instance is about. */
const OfInstance = z.object({ snapshot: OneId.default(LATEST_SNAPSHOT) });
export const InstanceReportQuery = ReportFileQuery.extend(OfInstance.shape);
export const InstanceFindingsQuery = FindingsFileQuery.extend(OfInstance.shape);
export const InstanceRuleQuery = RuleFileQuery.extend(OfInstance.shape);

const Bit = z.enum(['0', '1']).default('0');
/** `active` selects jobs that have not ended, `ended` those that have. */
export const JobsQuery = z.object({
  instanceId: OneId.optional(),
  active: Bit,
  ended: Bit,
});

/** The audit log as a file; its pages as JSON have a separate address. */
export const AuditFileQuery = AuditFilter.extend({ format: z.enum(FILE_FORMATS).default('jsonl') });

/** One key on the live server. */
export const KeyQuery = z.object({ db: numeric(z.number().int().min(0).max(65_535)).default(0) });

/** The keys of a plan or deletion: one page as JSON, all of them as a file. */
export const ItemFileQuery = ItemQuery.extend({ format: AnswerFormat });
/** A list for one instance, or for all. */
export const ListQuery = z.object({ instanceId: OneId.optional() });

/** Query of GET /api/snapshots/:id/html-report. At most one of `team` and `standard`. */
export const HtmlReportQuery = z
  .object({
    language: z.enum(PAGE_LANGUAGES).default('en'),
    /** Only the keys of this team. */
    team: z.string().min(1).max(80).optional(),
    /** One standard, statement by statement, instead of the whole report. */
    standard: z.enum(STANDARDS).optional(),
  })
  .refine(({ team, standard }) => team === undefined || standard === undefined, {
    message: 'Give a team or a standard, not both.',
  });
export type HtmlReportQuery = z.infer<typeof HtmlReportQuery>;
