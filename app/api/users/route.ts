import { handle } from '@/lib/http/handle';
import { UserInput } from '@/lib/model/accounts/accounts';
import { addUser } from '@/lib/users/add-user';
import { listUsers } from '@/lib/users/list-users';

export const GET = handle({}, async ({ actor }) => ({ users: await listUsers(actor) }));

export const POST = handle({ body: UserInput, status: 201 }, ({ actor, body }) => addUser(actor, body));
