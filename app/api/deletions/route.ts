import { z } from 'zod';
import { listDeletions } from '@/lib/deletions/get-deletion';
import { startDeletion } from '@/lib/deletions/start-deletion';
import { handle, Id } from '@/lib/http/handle';
import { Confirmation } from '@/lib/model/deletions/plan-request';

export const GET = handle({ query: z.object({ instanceId: Id.optional() }) }, async ({ actor, query }) => ({
  deletions: await listDeletions(actor, query),
}));
export const POST = handle({ body: Confirmation, status: 201 }, async ({ actor, body }) => ({
  deletion: await startDeletion(actor, body),
}));
