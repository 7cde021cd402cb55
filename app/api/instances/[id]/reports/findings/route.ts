import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { InstanceFindingsQuery as query } from '@/lib/model/reports/file-query';
import { getFindings } from '@/lib/scans/get-findings';
import { chosenSnapshot } from '@/lib/scans/list-snapshots';

export const GET = handle(
  { params: z.object({ id: Id }), query },
  async ({ actor, params: { id }, query: { snapshot, ...asked }, request: { signal } }) =>
    getFindings(actor, await chosenSnapshot(actor, id, snapshot), asked, signal),
);
