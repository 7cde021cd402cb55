import { endUserSessions } from '@/lib/access/users/end-user-sessions';
import { handle, WithId as params } from '@/lib/http/handle';

export const DELETE = handle(
  { summary: 'Sign a user out everywhere.', answer: 'ended: how many sessions have ended.', params },
  ({ actor, params: { id } }) => endUserSessions(actor, id),
);
