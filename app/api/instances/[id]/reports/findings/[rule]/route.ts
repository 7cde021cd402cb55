import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { RuleName } from '@/lib/model/filter';
import { InstanceFindingsQuery as query } from '@/lib/model/reports/file-query';
import { getRuleFindings } from '@/lib/scans/get-findings';
import { chosenSnapshot } from '@/lib/scans/list-snapshots';

export const GET = handle(
  { params: z.object({ id: Id, rule: RuleName }), query },
  async ({ actor, params: { id, rule }, query: { snapshot, ...asked }, request: { signal } }) =>
    getRuleFindings(actor, await chosenSnapshot(actor, id, snapshot), rule, asked, signal),
);
