import { addUser } from '@/lib/access/users/add-user';
import { listUsers } from '@/lib/access/users/list-users';
import { handle } from '@/lib/http/handle';
import { UserInput } from '@/lib/model/accounts/accounts';

export const GET = handle(
  { summary: 'Everybody with an account (administrators).', answer: 'users.' },
  async ({ actor }) => ({
    users: await listUsers(actor),
  }),
);
export const POST = handle(
  {
    summary: 'A new account (administrators).',
    answer: 'The user, and the one-time link by which the password is set.',
    body: UserInput,
    status: 201,
  },
  ({ actor, body }) => addUser(actor, body),
);
