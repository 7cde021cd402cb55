import { z } from 'zod';
import { handle, Id } from '@/lib/http/handle';
import { readServerFacts } from '@/lib/instances/read-server-facts';

export const GET = handle({ params: z.object({ id: Id }) }, async ({ actor, params: { id } }) => ({
  report: await readServerFacts(actor, id),
}));
