import { requestApproval } from '@/lib/deletions/approval/request-approval';
import { withdrawApproval } from '@/lib/deletions/approval/withdraw-approval';
import { handle, WithId } from '@/lib/http/handle';
import { ApprovalRequest } from '@/lib/model/deletions/approval';

export const POST = handle(
  {
    summary:
      'Ask a second person to approve a plan, with the reason, where the instance requires one. The request holds for a day, and for this plan only.',
    answer: 'approval: the request.',
    params: WithId,
    body: ApprovalRequest,
    status: 201,
  },
  async ({ actor, params, body }) => ({
    approval: await requestApproval(actor, params.id, body),
  }),
);
export const DELETE = handle(
  {
    summary: 'Withdraw the request for an approval of a plan, or the approval that was given.',
    answer: 'An empty object.',
    params: WithId,
  },
  async ({ actor, params }) => {
    await withdrawApproval(actor, params.id);
    return {};
  },
);
