import { createCliActor } from '@/cli/cli-actor';
import { EXIT, UsageError } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { printJson, printLine } from '@/cli/print';
import { requireDatabase, requireKey } from '@/cli/server-data';
import { safe } from '@/cli/units';
import { formatLinkAddress } from '@/lib/access/users/format-link-address';
import { addUser, listUsers, resetUser, updateUser } from '@/lib/access/users/manage-users';
import { RoleShape } from '@/lib/model/access-shapes';
import { type OneTimeLink, UserName } from '@/lib/model/accounts/accounts';
import { getUserState } from '@/lib/model/accounts/user-state';
import { config } from '@/lib/runtime/config';
import { findUserByName, formatGrant, parseGrant, parseShape } from './account-input';

/** The commands that change the account `name`. */
const COMMANDS: Record<string, (name: string, options: Options) => Promise<void>> = {
  add: async (name, { role, grant }) => {
    const input = {
      name: parseShape(UserName, name, 'name'),
      role: parseShape(RoleShape, role, 'role'),
      grants: grant.map(parseGrant),
    };
    const { user, link } = await addUser(createCliActor(), input);
    printLine(`${user.name} is ${user.role}. The password is set with this link:\n${describe(link)}`);
  },
  reset: async (name) => {
    const link = await resetUser(createCliActor(), (await findUserByName(name)).id);
    printLine(
      `The password of ${safe(name)} and every session ended. A new one is set with this link:\n${describe(link)}`,
    );
  },
  disable: async (name) => {
    await updateUser(createCliActor(), (await findUserByName(name)).id, { disabled: true });
    printLine(`${safe(name)} can no longer sign in, and every session ended.`);
  },
  enable: async (name) => {
    await updateUser(createCliActor(), (await findUserByName(name)).id, { disabled: false });
    printLine(`${safe(name)} can sign in again.`);
  },
};

type Options = ReturnType<typeof readArguments>['values'];

/** `colonnade user add|list|reset|disable|enable`: works on the data folder, whether the server runs or not. */
export async function run(args: string[]): Promise<number> {
  const { positionals, values } = readArguments(args);
  const [command = '', name, ...more] = positionals;
  const change = COMMANDS[command];
  if (command === 'list' && name === undefined) await list(values.json);
  else if (change && name !== undefined && more.length === 0) {
    await requireKey();
    await change(name, values);
  } else throw new UsageError('The user command is: colonnade user list, or user add|reset|disable|enable NAME');
  return EXIT.fine;
}

const readArguments = (args: string[]) =>
  parseArguments({
    args,
    allowPositionals: true,
    options: {
      role: { type: 'string', default: 'viewer' },
      grant: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  });

async function list(json: boolean): Promise<void> {
  requireDatabase();
  const users = await listUsers(createCliActor());
  if (json) return printJson(users);
  if (users.length === 0)
    return printLine('Nobody has an account yet. The first: colonnade user add NAME --role admin');
  for (const user of users)
    printLine([safe(user.name), user.role, getUserState(user), ...user.grants.map(formatGrant)].join('  '));
}

const describe = (link: OneTimeLink) =>
  `${formatLinkAddress(config, link)}\nIt works once, until ${new Date(link.expiresAt).toISOString()}.`;
