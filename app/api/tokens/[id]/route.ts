import { handle, WithId as params } from '@/lib/http/handle';
import { revokeToken } from '@/lib/users/revoke-token';

export const DELETE = handle({ params }, ({ actor, params: { id } }) => revokeToken(actor, id));
