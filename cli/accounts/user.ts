import { parseArgs } from 'node:util';
import { EXIT, UsageError } from '@/cli/exit';
import { requireDatabase, requireKey } from '@/cli/server-data';
import { safe } from '@/cli/units';
import { addUser } from '@/lib/access/users/add-user';
import { formatLinkAddress } from '@/lib/access/users/format-link-address';
import { listUsers } from '@/lib/access/users/list-users';
import { resetUser } from '@/lib/access/users/reset-user';
import { updateUser } from '@/lib/access/users/update-user';
import { RoleShape } from '@/lib/model/access-shapes';
import { type OneTimeLink, UserName } from '@/lib/model/accounts/accounts';
import { getUserState } from '@/lib/model/accounts/user-state';
import { config } from '@/lib/runtime/config';
import { createCliActor, findUserByName, formatGrant, parseGrant, parseShape, say } from './account-input';

const COMMANDS: Record<string, (name: string, options: Options) => Promise<void>> = {
  add: async (name, { role, grant }) => {
    const input = {
      name: parseShape(UserName, name, 'name'),
      role: parseShape(RoleShape, role, 'role'),
      grants: grant.map(parseGrant),
    };
    const { user, link } = await addUser(createCliActor(), input);
    say(`${user.name} is ${user.role}. The password is set with this link:\n${describe(link)}`);
  },
  reset: async (name) => {
    const link = await resetUser(createCliActor(), (await findUserByName(name)).id);
    say(`The password of ${safe(name)} and every session ended. A new one is set with this link:\n${describe(link)}`);
  },
  disable: async (name) => {
    await updateUser(createCliActor(), (await findUserByName(name)).id, { disabled: true });
    say(`${safe(name)} can no longer sign in, and every session ended.`);
  },
  enable: async (name) => {
    await updateUser(createCliActor(), (await findUserByName(name)).id, { disabled: false });
    say(`${safe(name)} can sign in again.`);
  },
};

interface Options {
  role: string;
  grant: string[];
  json: boolean;
}

/** `colonnade user add|list|reset|disable|enable`: works on the data folder, whether the server runs or not. */
export async function run(args: string[]): Promise<number> {
  const { positionals, values } = read(args);
  const [command = '', name, ...more] = positionals;
  const act = COMMANDS[command];
  if (command === 'list' && name === undefined) await list(values.json);
  else if (act && name !== undefined && more.length === 0) {
    await requireKey();
    await act(name, values);
  } else throw new UsageError('The user command is: colonnade user list, or user add|reset|disable|enable NAME');
  return EXIT.fine;
}

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        role: { type: 'string', default: 'viewer' },
        grant: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function list(json: boolean): Promise<void> {
  requireDatabase();
  const users = await listUsers(createCliActor());
  if (json) return say(JSON.stringify(users, null, 2));
  if (users.length === 0) return say('Nobody has an account yet. The first: colonnade user add NAME --role admin');
  for (const user of users)
    say([safe(user.name), user.role, getUserState(user), ...user.grants.map(formatGrant)].join('  '));
}

const describe = (link: OneTimeLink) =>
  `${formatLinkAddress(config, link)}\nIt works once, until ${new Date(link.expiresAt).toISOString()}.`;
