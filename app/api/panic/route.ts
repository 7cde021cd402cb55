import { z } from 'zod';
import { clearEmergencyStop, emergencyStop, emergencyStopState } from '@/lib/deletions/emergency-stop';
import { handle, Id } from '@/lib/http/handle';

const scope = z.object({ instanceId: Id.optional() });

export const GET = handle({}, async ({ actor }) => ({ panic: await emergencyStopState(actor) }));
export const POST = handle({ body: scope }, async ({ actor, body }) => ({ panic: await emergencyStop(actor, body) }));
export const DELETE = handle({ query: scope }, async ({ actor, query }) => ({
  panic: await clearEmergencyStop(actor, query),
}));
