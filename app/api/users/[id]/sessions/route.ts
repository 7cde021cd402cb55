import { handle, WithId as params } from '@/lib/http/handle';
import { endUserSessions } from '@/lib/users/end-user-sessions';

export const DELETE = handle(
  { summary: 'Sign a person out everywhere.', answer: 'ended: how many sessions.', params },
  ({ actor, params: { id } }) => endUserSessions(actor, id),
);
