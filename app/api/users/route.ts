import { inFormatAndOrder } from '@/app/api/in-format';
import { addUser } from '@/lib/access/users/add-user';
import { exportUsers } from '@/lib/access/users/export/export-users';
import { listUsers } from '@/lib/access/users/list-users';
import { handle } from '@/lib/http/handle';
import { UserInput } from '@/lib/model/accounts/accounts';
import { UsersQuery } from '@/lib/model/reports/file-query';

export const GET = handle(
  { summary: 'Everybody with an account (administrators).', answer: 'users, or the file.', query: UsersQuery },
  ({ actor, query: { format, ...order }, ...asked }) => {
    const list = async () => ({ users: await listUsers(actor) });
    return inFormatAndOrder(asked, { format, order }, list, (shape) => exportUsers(actor, shape));
  },
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
