import { undoDeletion } from '@/lib/deletions/undo-deletion';
import { handle, WithId } from '@/lib/http/handle';
import { UndoRequest } from '@/lib/model/deletions/plan-request';

export const POST = handle(
  {
    summary: 'Undo a deletion: restore all keys that can be restored, or some of them.',
    answer: 'deletion: the deletion, with the job that restores them.',
    params: WithId,
    body: UndoRequest,
    status: 201,
  },
  async ({ actor, params: { id }, body }) => ({ deletion: await undoDeletion(actor, id, body) }),
);
