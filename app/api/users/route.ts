import { inFormatAndOrder } from '@/app/api/in-format';
import { handle } from '@/lib/http/handle';
import { UserInput } from '@/lib/model/accounts/accounts';
import { UsersQuery } from '@/lib/model/reports/file-query';
import { addUser } from '@/lib/users/add-user';
import { exportUsers } from '@/lib/users/export/export-users';
import { listUsers } from '@/lib/users/list-users';

export const GET = handle({ query: UsersQuery }, ({ actor, query: { format, ...order }, ...asked }) => {
  const list = async () => ({ users: await listUsers(actor) });
  return inFormatAndOrder(asked, { format, order }, list, (shape) => exportUsers(actor, shape));
});
export const POST = handle({ body: UserInput, status: 201 }, ({ actor, body }) => addUser(actor, body));
