import { handle, WithId } from '@/lib/http/handle';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { startScan } from '@/lib/scans/start-scan';

export const POST = handle(
  {
    summary: 'Start a scan of an instance.',
    answer: 'job: the job that was queued.',
    params: WithId,
    body: ScanOptions,
    status: 202,
  },
  async ({ actor, params: { id }, body }) => ({ job: await startScan(actor, id, body) }),
);
