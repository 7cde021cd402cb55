import { createCliActor } from '@/cli/cli-actor';
import { EXIT, UsageError } from '@/cli/exit';
import { parseArguments } from '@/cli/parse-arguments';
import { printJson, printLine } from '@/cli/print';
import { requireDatabase, requireKey } from '@/cli/server-data';
import { safe } from '@/cli/units';
import { createToken, listTokens, revokeToken } from '@/lib/access/users/tokens';
import { RoleShape } from '@/lib/model/access-shapes';
import { type ApiToken, TOKEN_DAYS, TokenName } from '@/lib/model/accounts/api-tokens';
import { AppError } from '@/lib/model/errors';
import { findUserByName, formatGrant, parseGrant, parseShape } from './account-input';

/** `colonnade token add|list|revoke`: works on the data folder, whether the server runs or not. */
export async function run(args: string[]): Promise<number> {
  const { positionals, values } = readArguments(args);
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

type Options = ReturnType<typeof readArguments>['values'];

const readArguments = (args: string[]) =>
  parseArguments({
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

async function add(name: string, { user, role, grant, days }: Options): Promise<void> {
  if (user === undefined)
    throw new UsageError('Name the owner with --user USER; a token never has more rights than its owner.');
  const grants = grant.map(parseGrant);
  const dayCount = /^\d{1,4}$/.test(days) ? Number(days) : 0;
  if (dayCount < 1 || dayCount > TOKEN_DAYS.max)
    throw new UsageError(`--days "${days}" is not a number from 1 to ${TOKEN_DAYS.max}.`);
  await requireKey();
  const input = {
    name: parseShape(TokenName, name, 'name of a token'),
    // With grants only, the token has no role elsewhere.
    role: parseShape(RoleShape, role ?? (grants.length > 0 ? 'none' : 'viewer'), 'role'),
    grants,
    days: dayCount,
  };
  const { token, secret } = await createToken(createCliActor(), input, (await findUserByName(user)).id);
  process.stderr.write(
    `Token ${safe(token.name)} of ${safe(token.user.name)}, until ${formatDate(token.expiresAt)}. It is shown only now:\n`,
  );
  printLine(secret);
}

async function list(json: boolean): Promise<void> {
  requireDatabase();
  const tokens = await listTokens(createCliActor());
  if (json) return printJson(tokens);
  if (tokens.length === 0) return printLine('There are no tokens. The first: colonnade token add NAME --user USER');
  for (const token of tokens)
    printLine(
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
  const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
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
  printLine(`Token ${safe(found.name)} of ${safe(found.user.name)} was revoked.`);
}
