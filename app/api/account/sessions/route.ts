import { listOwnSessions } from '@/lib/access/users/own-sessions';
import { handle } from '@/lib/http/handle';

export const GET = handle(
  {
    summary: 'List your sessions, last used first.',
    answer: 'sessions: when and where each began and was last used; current marks the one of this request.',
  },
  async ({ actor }) => ({
    sessions: await listOwnSessions(actor),
  }),
);
