import { z } from 'zod';
import { clearPanic, panic, panicState } from '@/lib/deletions/emergency-stop';
import { handle, Id } from '@/lib/http/handle';

const scope = z.object({ instanceId: Id.optional() });

export const GET = handle({}, async () => ({ panic: await panicState() }));
export const POST = handle({ body: scope }, async ({ actor, body }) => ({ panic: await panic(actor, body) }));
export const DELETE = handle({ query: scope }, async ({ actor, query }) => ({ panic: await clearPanic(actor, query) }));
