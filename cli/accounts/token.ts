import { parseArgs } from 'node:util';
import { EXIT, UsageError } from '@/cli/exit';
import { requireDatabase, requireKey } from '@/cli/server-data';
import { safe } from '@/cli/units';
import { createToken } from '@/lib/access/users/create-token';
import { listTokens } from '@/lib/access/users/list-tokens';
import { revokeToken } from '@/lib/access/users/revoke-token';
import { RoleShape } from '@/lib/model/access-shapes';
import { type ApiToken, TOKEN_DAYS, TokenName } from '@/lib/model/accounts/api-tokens';
import { AppError } from '@/lib/model/errors';
import { createCliActor, findUserByName, formatGrant, parseGrant, parseShape, say } from './account-input';

/** `colonnade token add|list|revoke`: works on the data folder, whether the server runs or not. */
export async function run(args: string[]): Promise<number> {
  const { positionals, values } = read(args);
  const [command = '', name, ...more] = positionals;
  if (command === 'list' && name === undefined) await list(values.json);
  else if (command === 'add' && name !== undefined && more.length === 0) await add(name, values);
  else if (command === 'revoke' && name !== undefined && more.length === 0) await revoke(name, values.user);
  else
    throw new UsageError(
      'The token command is: colonnade token list, token add NAME --user USER, or token revoke NAME --user USER',
    );
  return EXIT.fine;
}

type Options = ReturnType<typeof read>['values'];

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        role: { type: 'string' },
        grant: { type: 'string', multiple: true, default: [] },
        days: { type: 'string', default: String(TOKEN_DAYS.usual) },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function add(name: string, { user, role, grant, days }: Options): Promise<void> {
  if (user === undefined)
    throw new UsageError('Name the owner with --user USER; a token never has more rights than its owner.');
  const grants = grant.map(parseGrant);
  const count = /^\d{1,4}$/.test(days) ? Number(days) : 0;
  if (count < 1 || count > TOKEN_DAYS.max)
    throw new UsageError(`--days "${days}" is not a number from 1 to ${TOKEN_DAYS.max}.`);
  await requireKey();
  const input = {
    name: parseShape(TokenName, name, 'name of a token'),
    // With grants only, the token has no role elsewhere.
    role: parseShape(RoleShape, role ?? (grants.length > 0 ? 'none' : 'viewer'), 'role'),
    grants,
    days: count,
  };
  const { token, secret } = await createToken(createCliActor(), input, (await findUserByName(user)).id);
  process.stderr.write(
    `Token ${safe(token.name)} of ${safe(token.user.name)}, until ${formatDate(token.expiresAt)}. It is shown only now:\n`,
  );
  say(secret);
}

async function list(json: boolean): Promise<void> {
  requireDatabase();
  const tokens = await listTokens(createCliActor());
  if (json) return say(JSON.stringify(tokens, null, 2));
  if (tokens.length === 0) return say('There are no tokens. The first: colonnade token add NAME --user USER');
  for (const token of tokens)
    say(
      [
        token.id,
        safe(token.name),
        safe(token.user.name),
        token.role,
        ...token.grants.map(formatGrant),
        ...describeState(token),
      ].join('  '),
    );
}

const formatDate = (at: number) => new Date(at).toISOString().slice(0, 10);
const describeState = ({ expiresAt, lastUsedAt, lastAddress, user }: ApiToken) => [
  user.disabled ? 'account disabled' : `${expiresAt <= Date.now() ? 'expired' : 'until'} ${formatDate(expiresAt)}`,
  lastUsedAt === null
    ? 'never used'
    : `used ${new Date(lastUsedAt).toISOString().slice(0, 16)}Z from ${safe(lastAddress ?? '')}`,
];

async function revoke(name: string, user: string | undefined): Promise<void> {
  requireDatabase();
  await requireKey();
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const found = (await listTokens(createCliActor())).find((token) =>
    user === undefined ? token.id === name : isSame(token.name, name) && isSame(token.user.name, user),
  );
  if (found === undefined)
    throw new AppError(
      'not_found',
      user === undefined
        ? `There is no token with the id ${safe(name)}. By its name: token revoke NAME --user USER.`
        : `${safe(user)} has no token ${safe(name)}. See colonnade token list.`,
    );
  await revokeToken(createCliActor(), found.id);
  say(`Token ${safe(found.name)} of ${safe(found.user.name)} was revoked.`);
}
