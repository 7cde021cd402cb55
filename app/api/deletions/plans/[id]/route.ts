import { inFormatAndOrder } from '@/app/api/in-format';
import { discardPlan } from '@/lib/deletions/discard-plan';
import { exportPlan } from '@/lib/deletions/export/export-plan';
import { getPlan } from '@/lib/deletions/get-deletion';
import { handle, WithId as params } from '@/lib/http/handle';
import { PlanFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle({ params, query }, ({ actor, params: { id }, query: { format, ...order }, ...asked }) => {
  const plan = async () => ({ plan: await getPlan(actor, id) });
  return inFormatAndOrder(asked, { format, order }, plan, (shape) => exportPlan(actor, id, shape));
});
export const DELETE = handle({ params }, ({ actor, params: { id } }) => discardPlan(actor, id).then(() => ({})));
