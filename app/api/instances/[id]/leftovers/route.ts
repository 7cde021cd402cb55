import { z } from 'zod';
import { getLeftovers } from '@/lib/deletions/get-leftovers';
import { startLeftoversSearch } from '@/lib/deletions/start-leftovers-search';
import { handle, Id } from '@/lib/http/handle';

const params = z.object({ id: Id });

export const GET = handle({ params }, ({ actor, params: { id } }) => getLeftovers(actor, id));

export const POST = handle({ params, status: 202 }, async ({ actor, params: { id } }) => ({
  job: await startLeftoversSearch(actor, id),
}));
