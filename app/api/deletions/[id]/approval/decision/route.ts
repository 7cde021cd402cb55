import { decideApproval } from '@/lib/deletions/approval/decide-approval';
import { handle, WithId } from '@/lib/http/handle';
import { ApprovalDecision } from '@/lib/model/deletions/approval';

export const POST = handle(
  {
    summary: 'Approve or reject exactly the plan that was seen. Nobody approves their own. Not with a token.',
    answer: 'approval',
    params: WithId,
    body: ApprovalDecision,
  },
  async ({ actor, params, body }) => ({
    approval: await decideApproval(actor, params.id, body),
  }),
);
