import { z } from 'zod';
import type { RouteName } from '@/app/api/routes';
import { ALERT_KINDS } from '@/lib/model/alerts/vocabulary';
import { CHANGES } from '@/lib/model/comparison/comparison-words';
import { Progress, WaitReason } from '@/lib/model/job';
import { JOB_STATES } from '@/lib/model/job-states';
import { ScheduleInput } from '@/lib/model/schedules/schedule';
import { Coverage, SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/** Shapes with the fields that these commands read. A newer server may send more, which --json passes on. */
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const ServerInstance = z.looseObject({
  id: Id,
  name: z.string(),
  topology: z.string(),
  endpoints: z.array(z.object({ host: z.string(), port: z.number() })),
  environment: z.string(),
  production: z.boolean(),
});
export type ServerInstance = z.infer<typeof ServerInstance>;

const ServerJob = z.looseObject({
  id: Id,
  kind: z.string(),
  instanceId: z.string().nullable(),
  instanceName: z.string().nullable(),
  snapshotId: Id.nullable(),
  state: z.enum(JOB_STATES),
  progress: Progress.nullable(),
  reason: WaitReason.nullable(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  actor: z.string(),
  createdAt: z.number().min(0).max(8.64e15),
});
export type ServerJob = z.infer<typeof ServerJob>;
const JobAnswer = z.object({ job: ServerJob });

const Time = z.number().min(0).max(8.64e15);
const ServerSchedule = z.looseObject({
  ...ScheduleInput.shape,
  id: Id,
  by: z.string(),
  createdAt: Time,
  updatedAt: Time,
  nextAt: Time.nullable(),
  instances: z.array(z.object({ id: Id, name: z.string() })),
});
const ServerRun = z.looseObject({
  scheduleName: z.string(),
  instanceName: z.string(),
  dueAt: Time,
  state: z.enum(['waiting', 'started', 'skipped']),
  jobState: z.enum(JOB_STATES).nullable(),
  reason: z.string().nullable(),
});
const figure = z.number().nullable();
const TrendPoint = z.looseObject({
  at: Time,
  ...{ keys: figure, bytes: figure, usedBytes: figure, score: figure, noExpiry: figure, bigkeys: figure },
});

const ServerAlert = z.looseObject({
  id: Id,
  severity: z.string(),
  state: z.string(),
  kind: z.enum(ALERT_KINDS),
  ruleName: z.string(),
  instanceName: z.string().nullable(),
  subject: z.string(),
  since: Time,
  acknowledgedBy: z.string().nullable(),
  silencedBy: z.string().nullable(),
});

/** The report itself depends on its kind; the code that draws it reports an unexpected shape. */
const ReportAnswer = z.looseObject({ snapshotId: Id, report: z.looseObject({}) });

const Totals = z.looseObject({
  keys: z.number(),
  bytes: z.number().nullable(),
  noExpiry: z.number(),
  bigkeys: z.number(),
});
const ComparedGroup = z.looseObject({
  name: z.string(),
  change: z.enum(CHANGES).nullable(),
  now: Totals.nullable(),
  before: Totals.nullable(),
});
const Side = z.looseObject({ instanceName: z.string(), startedAt: z.number().min(0).max(8.64e15), totals: Totals });
const Counted = z.looseObject({ keys: z.number(), bytes: z.number().nullable() });
const ComparisonAnswer = z.looseObject({
  now: Side,
  before: Side,
  notes: z.array(z.looseObject({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })),
  keys: z
    .looseObject({ keys: z.record(z.enum(CHANGES), Counted), bigkeys: z.record(z.enum(CHANGES), z.number()) })
    .nullable(),
  rules: z
    .array(
      z.looseObject({
        rule: z.string(),
        strength: z.string(),
        newKeys: z.number(),
        fixedKeys: z.number(),
        goneKeys: z.number(),
        examples: z.array(z.string()),
      }),
    )
    .nullable(),
});

/** The routes that these commands use, with the shape that an answer must have. */
export const ANSWERS = {
  'GET /api/instances': z.object({ instances: z.array(ServerInstance) }),
  'POST /api/instances/import': z.object({
    rows: z.array(z.looseObject({ name: z.string(), address: z.string().nullable(), problem: z.string().nullable() })),
  }),
  'POST /api/instances/import/row': z.looseObject({ instance: z.looseObject({ id: Id }).nullable() }),
  'GET /api/instances/{id}/snapshots': z.object({
    snapshots: z.array(
      z.looseObject({
        id: Id,
        state: z.enum(['live', 'sealed', 'cancelled', 'failed']),
        isPart: z.boolean().optional(),
      }),
    ),
  }),
  'GET /api/instances/{id}/trends': z.looseObject({ total: z.array(TrendPoint) }),
  'POST /api/instances/{id}/scans': JobAnswer,
  'GET /api/alerts': z.looseObject({ alerts: z.array(ServerAlert) }),
  'POST /api/alerts/{id}/acknowledge': z.object({ alert: ServerAlert }),
  'GET /api/jobs': z.object({ jobs: z.array(ServerJob) }),
  'GET /api/jobs/{id}': JobAnswer,
  'POST /api/jobs/{id}/cancel': JobAnswer,
  'GET /api/schedules': z.object({ schedules: z.array(ServerSchedule) }),
  'GET /api/schedules/runs': z.object({ runs: z.array(ServerRun) }),
  'POST /api/schedules': z.object({ schedule: ServerSchedule }),
  'PUT /api/schedules/{id}': z.object({ schedule: ServerSchedule }),
  'DELETE /api/schedules/{id}': z.object({ id: Id }),
  'GET /api/snapshots/{id}': z.object({
    snapshot: z.looseObject({ ...SnapshotManifest.shape, coverage: z.looseObject(Coverage.shape) }),
  }),
  'GET /api/snapshots/{id}/html-report': z.object({ html: z.string() }),
  'GET /api/snapshots/{id}/reports/{report}': ReportAnswer,
  'GET /api/snapshots/{id}/reports/findings': ReportAnswer,
  'GET /api/snapshots/{id}/compare': ComparisonAnswer,
  'GET /api/snapshots/{id}/compare/groups': z.looseObject({ rows: z.array(ComparedGroup) }),
} satisfies { [Name in RouteName]?: z.ZodType };
export type AskedRoute = keyof typeof ANSWERS;
export type Parsed<Name extends AskedRoute> = z.output<(typeof ANSWERS)[Name]>;
