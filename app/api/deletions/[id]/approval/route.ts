import { requestApproval } from '@/lib/deletions/approval/request-approval';
import { withdrawApproval } from '@/lib/deletions/approval/withdraw-approval';
import { handle, WithId } from '@/lib/http/handle';
import { ApprovalRequest } from '@/lib/model/deletions/approval';

export const POST = handle(
  {
    summary:
      'Where the instance asks for a second person: ask for one, with the reason. Holds for a day, for this plan.',
    answer: 'approval',
    params: WithId,
    body: ApprovalRequest,
    status: 201,
  },
  async ({ actor, params, body }) => ({
    approval: await requestApproval(actor, params.id, body),
  }),
);
export const DELETE = handle(
  { summary: 'Withdraw a request, or an approval that was given.', answer: 'Nothing.', params: WithId },
  async ({ actor, params }) => {
    await withdrawApproval(actor, params.id);
    return {};
  },
);
