import { revokeOwnSession } from '@/lib/access/users/own-sessions';
import { handle, WithId as params } from '@/lib/http/handle';

export const DELETE = handle(
  { summary: 'End one of your sessions.', answer: 'id: the session that has ended.', params },
  ({ actor, params: { id } }) => revokeOwnSession(actor, id),
);
