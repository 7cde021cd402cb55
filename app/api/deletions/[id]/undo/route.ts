import { z } from 'zod';
import { undoDeletion } from '@/lib/deletions/undo-deletion';
import { handle, Id } from '@/lib/http/handle';
import { UndoRequest } from '@/lib/model/deletions/plan-request';

export const POST = handle(
  {
    summary: 'Undo: restore all keys that can be restored, or some.',
    answer: 'The deletion with the job that brings them back.',
    params: z.object({ id: Id }),
    body: UndoRequest,
    status: 201,
  },
  async ({ actor, params: { id }, body }) => ({ deletion: await undoDeletion(actor, id, body) }),
);
