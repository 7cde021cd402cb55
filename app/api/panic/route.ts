import { z } from 'zod';
import { clearEmergencyStop, emergencyStop, getEmergencyStopState } from '@/lib/deletions/emergency-stop';
import { handle, Id } from '@/lib/http/handle';

const scope = z.object({ instanceId: Id.optional() });

export const GET = handle(
  {
    summary: 'Whether an emergency stop stops writes.',
    answer: 'panic: which writes are stopped, since when and by whom, and the path of the flag file.',
  },
  async ({ actor }) => ({ panic: await getEmergencyStopState(actor) }),
);
export const POST = handle(
  {
    summary: 'Emergency stop: stop every write, everywhere or on one instance.',
    answer: 'panic: which writes are stopped, since when and by whom, and the path of the flag file.',
    body: scope,
  },
  async ({ actor, body }) => ({ panic: await emergencyStop(actor, body) }),
);
export const DELETE = handle(
  {
    summary: 'Clear the emergency stop, everywhere or of one instance.',
    answer: 'panic: which writes are stopped, since when and by whom, and the path of the flag file.',
    query: scope,
  },
  async ({ actor, query }) => ({
    panic: await clearEmergencyStop(actor, query),
  }),
);
