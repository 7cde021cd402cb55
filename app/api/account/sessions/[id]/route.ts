import { handle, WithId as params } from '@/lib/http/handle';
import { revokeOwnSession } from '@/lib/users/own-sessions';

export const DELETE = handle(
  { summary: 'End one of your sessions.', answer: 'id', params },
  ({ actor, params: { id } }) => revokeOwnSession(actor, id),
);
