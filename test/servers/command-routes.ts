import * as scans from '@/app/api/instances/[id]/scans/route';
import * as snapshots from '@/app/api/instances/[id]/snapshots/route';
import * as instances from '@/app/api/instances/route';
import * as cancel from '@/app/api/jobs/[id]/cancel/route';
import * as job from '@/app/api/jobs/[id]/route';
import * as jobs from '@/app/api/jobs/route';
import * as report from '@/app/api/snapshots/[id]/reports/[report]/route';
import * as findings from '@/app/api/snapshots/[id]/reports/findings/route';
import * as snapshot from '@/app/api/snapshots/[id]/route';

/** The routes that the command line calls on a server. */
export const COMMAND_ROUTES = {
  '/api/instances': instances,
  '/api/instances/:id/scans': scans,
  '/api/instances/:id/snapshots': snapshots,
  '/api/jobs': jobs,
  '/api/jobs/:id': job,
  '/api/jobs/:id/cancel': cancel,
  '/api/snapshots/:id': snapshot,
  '/api/snapshots/:id/reports/findings': findings,
  '/api/snapshots/:id/reports/:report': report,
};
