import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { startScan } from '@/lib/scans/start-scan';

export const POST = handle(
  {
    summary: 'Start a scan.',
    answer: 'The job that was queued.',
    params: z.object({ id: Id }),
    body: ScanOptions,
    status: 202,
  },
  async ({ actor, params: { id }, body }) => ({ job: await startScan(actor, id, body) }),
);
