import { revokeToken } from '@/lib/access/users/revoke-token';
import { handle, WithId as params } from '@/lib/http/handle';

export const DELETE = handle(
  {
    summary: 'Revoke an API token of yours; administrators may revoke any. A token may not do this.',
    answer: 'id: the token that was revoked.',
    params,
  },
  ({ actor, params: { id } }) => revokeToken(actor, id),
);
