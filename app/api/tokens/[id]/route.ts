import { revokeToken } from '@/lib/access/users/revoke-token';
import { handle, WithId as params } from '@/lib/http/handle';

export const DELETE = handle(
  { summary: 'Revoke an API token of yours; as an administrator anybody’s. Not with a token.', answer: 'id', params },
  ({ actor, params: { id } }) => revokeToken(actor, id),
);
