import { handle, WithId as params } from '@/lib/http/handle';
import { resetUser } from '@/lib/users/reset-user';

export const POST = handle({ params }, async ({ actor, params: { id } }) => ({ link: await resetUser(actor, id) }));
