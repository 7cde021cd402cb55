import { handle, WithId as params } from '@/lib/http/handle';
import { endUserSessions } from '@/lib/users/end-user-sessions';

export const DELETE = handle({ params }, ({ actor, params: { id } }) => endUserSessions(actor, id));
