import { z } from 'zod';
import { AuditFilter } from '../audit';
import { ItemQuery } from '../deletions/deletion-item';
import { PLAN_TABLES } from '../deletions/plan-tables';
import { numeric } from '../filter';
import { PAGE_LANGUAGES } from '../language';
import { RULE_AREAS, STRENGTHS } from '../rules/vocabulary';
import { ValueRequest } from '../value-reason';
import { FILE_FORMATS } from './file-formats';
import { FINDINGS_TABLES } from './findings-tables';
import { FLEET_GROUPS } from './fleet-filter';
import {
  DELETION_VALUES,
  FLEET_VALUES,
  JOB_NODE_VALUES,
  JOB_VALUES,
  LEFTOVER_VALUES,
  PRICE_VALUES,
  PROFILE_VALUES,
  SNAPSHOT_VALUES,
  TEAM_VALUES,
  USER_VALUES,
} from './list-values';
import { ReportQuery } from './query';
import { TABLE_NAMES } from './registry';
import { SERVER_TABLES } from './server-tables';
import type { SortValues } from './table-order';

const OneId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** The format of an answer that is JSON unless a file is requested. */
export const AnswerFormat = z.enum(['json', ...FILE_FORMATS]).default('json');

/** Query of a report: the report as JSON, or one of its tables (by default the first) as a file. */
export const ReportFileQuery = ReportQuery.extend({
  format: AnswerFormat,
  table: z.enum(TABLE_NAMES).optional(),
});
export type ReportFileQuery = z.infer<typeof ReportFileQuery>;

/** Query of findings, like `ReportFileQuery`. `only` and `area` limit a file of rules to that strength and area. */
export const FindingsFileQuery = ReportQuery.extend({
  format: AnswerFormat,
  table: z.enum(FINDINGS_TABLES).optional(),
  only: z.enum(STRENGTHS).optional(),
  area: z.enum(RULE_AREAS).optional(),
});
export type FindingsFileQuery = z.infer<typeof FindingsFileQuery>;

/**
 * Query of keys, or of the places where one rule is violated (prefixes, groups, nodes): a page as JSON, or all rows as
 * a file.
 */
export const RowsFileQuery = ReportQuery.extend({ format: AnswerFormat });
export type RowsFileQuery = z.infer<typeof RowsFileQuery>;

/** Means the newest complete snapshot at the time of the request. */
export const LATEST_SNAPSHOT = 'latest';

/** The snapshot that a request to an instance is about. */
const OfInstance = z.object({ snapshot: OneId.default(LATEST_SNAPSHOT) });
export const InstanceReportQuery = ReportFileQuery.extend(OfInstance.shape);
export const InstanceFindingsQuery = FindingsFileQuery.extend(OfInstance.shape);
export const InstanceRuleQuery = RowsFileQuery.extend(OfInstance.shape);

/**
 * For files: the column by which the page would sort (`-keys` = descending), and the language whose order applies to
 * names.
 */
const orderBy = (values: SortValues<never>) => ({
  sort: z.enum(Object.keys(values).flatMap((id) => [id, `-${id}`])).optional(),
  lang: z.enum(PAGE_LANGUAGES).optional(),
});

/**
 * Selects instances whose name, environment, team, topology or tags contain every word of `q`, by environment and by
 * tag.
 */
export const FleetQuery = z.object({
  q: z.string().max(500).default(''),
  env: z.string().max(40).default(''),
  tag: z.string().max(40).default(''),
  /** For files: rows of the same environment or team are grouped. */
  group: z.enum(FLEET_GROUPS).optional(),
  ...orderBy(FLEET_VALUES),
  format: AnswerFormat,
});

const Bit = z.enum(['0', '1']).default('0');
/** `active` selects jobs that have not ended, `ended` those that have. */
export const JobsQuery = z.object({
  instanceId: OneId.optional(),
  active: Bit,
  ended: Bit,
  ...orderBy(JOB_VALUES),
  format: AnswerFormat,
});

/** The audit log as a file; its pages as JSON have a separate address. */
export const AuditFileQuery = AuditFilter.extend({ format: z.enum(FILE_FORMATS).default('jsonl') });

/** One key on the live server: its facts, and with a body a part of its value. */
export const KeyFileQuery = z.object({
  db: numeric(z.number().int().min(0).max(65_535)).default(0),
  format: AnswerFormat,
});
export const ValueFileRequest = ValueRequest.extend({ format: AnswerFormat });

/** The keys of a plan or deletion: one page as JSON, all of them as a file. */
export const ItemFileQuery = ItemQuery.extend({ format: AnswerFormat });
/** A list for one instance, or for all. */
export const ListQuery = z.object({ instanceId: OneId.optional(), format: AnswerFormat });
export const FileQuery = z.object({ format: AnswerFormat });
export const DeletionsQuery = ListQuery.extend(orderBy(DELETION_VALUES));
/** A plan: a file holds one of its tables. Only the table of prices can be sorted. */
export const PlanFileQuery = FileQuery.extend({ table: z.enum(PLAN_TABLES).optional(), ...orderBy(PRICE_VALUES) });
/** A job: a file holds the progress on each node. */
export const JobFileQuery = FileQuery.extend(orderBy(JOB_NODE_VALUES));
export const LeftoversQuery = FileQuery.extend(orderBy(LEFTOVER_VALUES));
export const SnapshotsQuery = FileQuery.extend(orderBy(SNAPSHOT_VALUES));
export const UsersQuery = FileQuery.extend(orderBy(USER_VALUES));
export const TeamsQuery = FileQuery.extend(orderBy(TEAM_VALUES));
export const ProfilesQuery = FileQuery.extend(orderBy(PROFILE_VALUES));
/** A profile in the format of the import, or its rules as a table. */
export const ProfileFileQuery = z.object({ format: z.enum(['yaml', ...FILE_FORMATS]).default('yaml') });
/** For files: the table, by default the first. */
export const ServerFileQuery = FileQuery.extend({ table: z.enum(SERVER_TABLES).optional() });
