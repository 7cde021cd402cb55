import { inFormatAndOrder } from '@/app/api/in-format';
import { discardPlan } from '@/lib/deletions/discard-plan';
import { exportPlan } from '@/lib/deletions/export/export-plan';
import { getPlan } from '@/lib/deletions/get-deletion';
import { handle, WithId as params } from '@/lib/http/handle';
import { PlanFileQuery as query } from '@/lib/model/reports/file-query';

export const GET = handle(
  {
    summary: 'A plan; a file has what it would cost in each mode, its hazards or the excluded keys.',
    answer: 'The plan, or the file.',
    params,
    query,
  },
  ({ actor, params: { id }, query: { format, ...order }, ...asked }) => {
    const plan = async () => ({ plan: await getPlan(actor, id) });
    return inFormatAndOrder(asked, { format, order }, plan, (shape) => exportPlan(actor, id, shape));
  },
);
export const DELETE = handle(
  { summary: 'Discard a plan that was not confirmed.', answer: 'Nothing.', params },
  ({ actor, params: { id } }) => discardPlan(actor, id).then(() => ({})),
);
