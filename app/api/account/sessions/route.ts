import { handle } from '@/lib/http/handle';
import { listOwnSessions } from '@/lib/users/own-sessions';

export const GET = handle({}, async ({ actor }) => ({ sessions: await listOwnSessions(actor) }));
