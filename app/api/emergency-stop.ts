import { z } from 'zod';
import { clearEmergencyStop, emergencyStop, getEmergencyStopState } from '@/lib/deletions/emergency-stop-verbs';
import { handle } from '@/lib/http/handle';
import { Id } from '@/lib/http/path-parts';

const Scope = z.object({ instanceId: Id.optional() });

const STATE = 'panic: which writes are stopped, since when and by whom, and the path of the flag file.';

export const emergencyStopRoutes = [
  handle('POST /api/deletions/{id}/panic', {
    summary: 'Stop one deletion now; other writes continue.',
    answer: STATE,
    rate: 'stop',
    act: async ({ actor, id }) => ({ panic: await emergencyStop(actor, { deletionId: id }) }),
  }),
  handle('GET /api/panic', {
    summary: 'Whether an emergency stop stops writes.',
    answer: STATE,
    rate: 'stop',
    act: async ({ actor }) => ({ panic: await getEmergencyStopState(actor) }),
  }),
  handle('POST /api/panic', {
    summary: 'Emergency stop: stop every write, everywhere or on one instance.',
    answer: STATE,
    body: Scope,
    rate: 'stop',
    act: async ({ actor, body }) => ({ panic: await emergencyStop(actor, body) }),
  }),
  handle('DELETE /api/panic', {
    summary: 'Clear the emergency stop, everywhere or of one instance.',
    answer: STATE,
    query: Scope,
    rate: 'stop',
    act: async ({ actor, query }) => ({ panic: await clearEmergencyStop(actor, query) }),
  }),
];
