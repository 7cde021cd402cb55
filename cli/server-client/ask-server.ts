import type { SentTo } from '@/app/api/routes';
import { CommandFailed, EXIT } from '@/cli/exit';
import { safe } from '@/cli/units';
import { formatApiAddress } from '@/lib/model/text/api-address';
import { ANSWERS, type AskedRoute, type Parsed } from './answer-shapes';
import { type Answered, exchange } from './exchange';
import type { ServerAccess } from './server-access';

/** An error that the Colonnade server, or a proxy in front of it, answered. */
export class ServerErrorAnswer extends CommandFailed {
  constructor(
    message: string,
    exit: number,
    readonly status: number,
    /** Set if a later attempt may succeed; null otherwise. */
    readonly retryAfterSeconds: number | null,
  ) {
    super(message, exit);
  }
}

/**
 * Sends one request to a route and parses the answer. `ms`: time limit. Errors: `NotAnswered`, `ServerErrorAnswer`,
 * `CommandFailed`, each with one sentence.
 */
export async function askServer<Name extends AskedRoute>(
  access: ServerAccess,
  route: Name,
  sent: SentTo<Name>,
  ms?: number,
): Promise<Parsed<Name>> {
  const { body } = sent as { body?: unknown };
  const [method = ''] = route.split(' ');
  const path = formatApiAddress(route, sent as Record<string, unknown>);
  const answered = await exchange(access, { method, path, body: method === 'GET' ? undefined : (body ?? {}), ms });
  // A proxy or a page in between may repeat the request, so the token is removed from the answer.
  const text = access.token === null ? answered.text : answered.text.replaceAll(access.token.reveal(), '***');
  const place = access.origin.origin;
  if (answered.status >= 300 && answered.status < 400) throw createRedirectError(place, answered);
  const value = parseJson(text);
  if (answered.status >= 400) throw createErrorAnswer(access, answered, value);
  const type = safe(answered.contentType.slice(0, 60)) || 'no type';
  if (value === undefined) throw createForeignError(place, `it answered ${type} with status ${answered.status}`);
  const parsed = ANSWERS[route].safeParse(value);
  if (!parsed.success) throw createForeignError(place, 'its JSON is of another program or version');
  return parsed.data as Parsed<Name>;
}

export const createForeignError = (place: string, why: string) =>
  new CommandFailed(`${place} does not answer as a Colonnade server: ${why}.`, EXIT.connection);

function createRedirectError(place: string, { location }: Answered): CommandFailed {
  const to = location !== null && URL.canParse(location, place) ? new URL(location, place).origin : 'another address';
  return new CommandFailed(
    `${place} redirects to ${to}, where the token is not sent. If that is your Colonnade, give its address instead.`,
    EXIT.connection,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function createErrorAnswer({ origin, token }: ServerAccess, answered: Answered, value: unknown): CommandFailed {
  const { status, retryAfterSeconds } = answered;
  const { error } = (value ?? {}) as { error?: { code?: unknown; message?: unknown } };
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    const kind = safe(answered.contentType.slice(0, 60)) || 'no type';
    // While a server restarts, a proxy in front of it answers instead.
    if (status === 502 || status === 503 || status === 504)
      return new ServerErrorAnswer(`${origin.origin} answers ${status}.`, EXIT.connection, status, 2);
    return createForeignError(origin.origin, `it answered ${kind} with status ${status}`);
  }
  const message = status === 401 ? describeTokenError(origin, token !== null) : safe(error.message.slice(0, 500));
  return new ServerErrorAnswer(message, toExitCode(status), status, retryAfterSeconds);
}

function toExitCode(status: number): number {
  if (status === 401 || status === 403 || status === 429 || status >= 502) return EXIT.connection;
  return status === 400 || status === 404 || status === 422 ? EXIT.usage : EXIT.failed;
}

const describeTokenError = ({ origin }: URL, sent: boolean) =>
  sent
    ? `${origin} rejects this token: it was revoked, has ended, or its account is disabled.`
    : `${origin} requires an API token: set COLONNADE_TOKEN. Create one under Your account.`;
