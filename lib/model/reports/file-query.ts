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

/** Of a route that answers in JSON unless a file is asked for. */
export const AnswerFormat = z.enum(['json', ...FILE_FORMATS]).default('json');

/** A report as JSON, or one of its tables (the first, when none is named) as a file. */
export const ReportFileQuery = ReportQuery.extend({
  format: AnswerFormat,
  table: z.enum(TABLE_NAMES).optional(),
});
export type ReportFileQuery = z.infer<typeof ReportFileQuery>;

/** The same of findings. `only`, `area`: of a file of rules, those of that strength and area. */
export const FindingsFileQuery = ReportQuery.extend({
  format: AnswerFormat,
  table: z.enum(FINDINGS_TABLES).optional(),
  only: z.enum(STRENGTHS).optional(),
  area: z.enum(RULE_AREAS).optional(),
});
export type FindingsFileQuery = z.infer<typeof FindingsFileQuery>;

/** A page of keys, or of where one rule is violated (prefixes, groups, nodes), as JSON; or all rows as a file. */
export const RowsFileQuery = ReportQuery.extend({ format: AnswerFormat });
export type RowsFileQuery = z.infer<typeof RowsFileQuery>;

/** The newest whole one, whenever it is asked. */
export const LATEST_SNAPSHOT = 'latest';

/** Of a question to an instance: which of its snapshots is meant. */
const OfInstance = z.object({ snapshot: OneId.default(LATEST_SNAPSHOT) });
export const InstanceReportQuery = ReportFileQuery.extend(OfInstance.shape);
export const InstanceFindingsQuery = FindingsFileQuery.extend(OfInstance.shape);
export const InstanceRuleQuery = RowsFileQuery.extend(OfInstance.shape);

/** Of a file: the column that its page would sort by (`-keys`: descending), and in whose order names stand. */
const orderBy = (values: SortValues<never>) => ({
  sort: z.enum(Object.keys(values).flatMap((id) => [id, `-${id}`])).optional(),
  lang: z.enum(PAGE_LANGUAGES).optional(),
});

/** Instances whose name, environment, team, topology or tags hold every word of `q`, of an environment, with a tag. */
export const FleetQuery = z.object({
  q: z.string().max(500).default(''),
  env: z.string().max(40).default(''),
  tag: z.string().max(40).default(''),
  /** Of a file: those of one environment or team stand together. */
  group: z.enum(FLEET_GROUPS).optional(),
  ...orderBy(FLEET_VALUES),
  format: AnswerFormat,
});

const Bit = z.enum(['0', '1']).default('0');
/** `active`: those that have not ended; `ended`: those that have. */
export const JobsQuery = z.object({
  instanceId: OneId.optional(),
  active: Bit,
  ended: Bit,
  ...orderBy(JOB_VALUES),
  format: AnswerFormat,
});

/** Of the audit log there is a file alone; its pages have an address of their own. */
export const AuditFileQuery = AuditFilter.extend({ format: z.enum(FILE_FORMATS).default('jsonl') });

/** Of one key on the live server: its facts, and with a body a part of its value. */
export const KeyFileQuery = z.object({
  db: numeric(z.number().int().min(0).max(65_535)).default(0),
  format: AnswerFormat,
});
export const ValueFileRequest = ValueRequest.extend({ format: AnswerFormat });

/** The keys of a plan or deletion: as JSON a page at a time, as a file all of them. */
export const ItemFileQuery = ItemQuery.extend({ format: AnswerFormat });
/** A list of one instance, or of all. */
export const ListQuery = z.object({ instanceId: OneId.optional(), format: AnswerFormat });
export const FileQuery = z.object({ format: AnswerFormat });
export const DeletionsQuery = ListQuery.extend(orderBy(DELETION_VALUES));
/** Of a plan: a file has one of its tables; only what it costs in each way has an order. */
export const PlanFileQuery = FileQuery.extend({ table: z.enum(PLAN_TABLES).optional(), ...orderBy(PRICE_VALUES) });
/** Of a job: a file has how far it is on each node. */
export const JobFileQuery = FileQuery.extend(orderBy(JOB_NODE_VALUES));
export const LeftoversQuery = FileQuery.extend(orderBy(LEFTOVER_VALUES));
export const SnapshotsQuery = FileQuery.extend(orderBy(SNAPSHOT_VALUES));
export const UsersQuery = FileQuery.extend(orderBy(USER_VALUES));
export const TeamsQuery = FileQuery.extend(orderBy(TEAM_VALUES));
export const ProfilesQuery = FileQuery.extend(orderBy(PROFILE_VALUES));
/** A profile as it can be imported, or its rules as a table. */
export const ProfileFileQuery = z.object({ format: z.enum(['yaml', ...FILE_FORMATS]).default('yaml') });
/** Of a file: the table, the first when none is named. */
export const ServerFileQuery = FileQuery.extend({ table: z.enum(SERVER_TABLES).optional() });
