import { z } from 'zod';
import { Progress, WaitReason } from '@/lib/model/job';
import { JOB_STATES } from '@/lib/model/job-states';
import { Coverage, SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/** Shapes with the fields that these commands read. A newer server may send more, which --json passes on. */
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const ServerInstance = z.looseObject({
  id: Id,
  name: z.string(),
  topology: z.string(),
  endpoints: z.array(z.object({ host: z.string(), port: z.number() })),
  environment: z.string(),
  production: z.boolean(),
});
export type ServerInstance = z.infer<typeof ServerInstance>;
export const InstancesAnswer = z.object({ instances: z.array(ServerInstance) });

export const ServerJob = z.looseObject({
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
export const JobAnswer = z.object({ job: ServerJob });
export const JobsAnswer = z.object({ jobs: z.array(ServerJob) });

export const SnapshotsAnswer = z.object({
  snapshots: z.array(
    z.looseObject({
      id: Id,
      state: z.enum(['live', 'sealed', 'cancelled', 'failed']),
      isPart: z.boolean().optional(),
    }),
  ),
});
export const SnapshotAnswer = z.object({
  snapshot: z.looseObject({ ...SnapshotManifest.shape, coverage: z.looseObject(Coverage.shape) }),
});
/** The report itself depends on its kind; the code that draws it reports an unexpected shape. */
export const ReportAnswer = z.looseObject({ snapshotId: Id, report: z.looseObject({}) });
