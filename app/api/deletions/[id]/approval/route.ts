import { requestApproval } from '@/lib/deletions/approval/request-approval';
import { withdrawApproval } from '@/lib/deletions/approval/withdraw-approval';
import { handle, WithId } from '@/lib/http/handle';
import { ApprovalRequest } from '@/lib/model/deletions/approval';

export const POST = handle({ params: WithId, body: ApprovalRequest, status: 201 }, async ({ actor, params, body }) => ({
  approval: await requestApproval(actor, params.id, body),
}));
export const DELETE = handle({ params: WithId }, async ({ actor, params }) => {
  await withdrawApproval(actor, params.id);
  return {};
});
