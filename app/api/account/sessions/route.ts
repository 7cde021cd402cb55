import { listOwnSessions } from '@/lib/access/users/own-sessions';
import { handle } from '@/lib/http/handle';

export const GET = handle({ summary: 'Your sessions, last used first.', answer: 'sessions.' }, async ({ actor }) => ({
  sessions: await listOwnSessions(actor),
}));
