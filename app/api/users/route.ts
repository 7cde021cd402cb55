import { addUser } from '@/lib/access/users/add-user';
import { listUsers } from '@/lib/access/users/list-users';
import { handle } from '@/lib/http/handle';
import { UserInput } from '@/lib/model/accounts/accounts';

export const GET = handle(
  { summary: 'List everybody with an account; only administrators may.', answer: 'users: by name.' },
  async ({ actor }) => ({
    users: await listUsers(actor),
  }),
);
export const POST = handle(
  {
    summary: 'Add an account; only administrators may.',
    answer: 'user: the account. link: the one-time link that sets its password.',
    body: UserInput,
    status: 201,
  },
  ({ actor, body }) => addUser(actor, body),
);
