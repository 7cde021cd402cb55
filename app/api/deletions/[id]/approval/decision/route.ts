import { decideApproval } from '@/lib/deletions/approval/decide-approval';
import { handle, WithId } from '@/lib/http/handle';
import { ApprovalDecision } from '@/lib/model/deletions/approval';

export const POST = handle(
  {
    summary:
      'Approve or reject exactly the plan of a deletion that was shown. Nobody may approve a plan of their own, and a token may not decide.',
    answer: 'approval: the request with its decision.',
    params: WithId,
    body: ApprovalDecision,
  },
  async ({ actor, params, body }) => ({
    approval: await decideApproval(actor, params.id, body),
  }),
);
