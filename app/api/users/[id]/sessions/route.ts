import { endUserSessions } from '@/lib/access/users/end-user-sessions';
import { handle, WithId as params } from '@/lib/http/handle';

export const DELETE = handle(
  { summary: 'Sign a person out everywhere.', answer: 'ended: how many sessions.', params },
  ({ actor, params: { id } }) => endUserSessions(actor, id),
);
