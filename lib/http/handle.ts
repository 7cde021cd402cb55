import { z } from 'zod';
import type { Actor } from '@/lib/model/actor';
import { closeSchema } from '@/lib/model/close-schema';
import { AppError } from '@/lib/model/errors';
import { guardRequest } from './access/guard-request';
import { isAnonymous, resolveActor } from './access/resolve-actor';
import { parseStrictly } from './parse-strictly';
import { listPathParts, PATH_PARTS, type PartsOf } from './path-parts';
import type { RateClass } from './rate-limit';
import { readJson } from './read-json';
import { addSecurityHeaders, toErrorResponse, toJsonResponse } from './respond';
import { readSignInOrigin } from './sign-in-origin';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Describes a route in the API document (GET /api/openapi.json). */
interface Description {
  summary: string;
  /** The answer in words. */
  answer: string;
  /** The fields of the answer whose shapes are known. */
  holds?: Record<string, z.ZodType>;
  /** Default: JSON. */
  contentType?: string;
  /** Status of a successful answer; default: 200. */
  status?: number;
}
interface Declaration<Q extends z.ZodType, B extends z.ZodType, Parts, Answer> extends Description {
  /** Unknown names are always refused, whatever the shape says. Absent = no parameters or no body are accepted. */
  query?: Q;
  body?: B;
  /** Answers also people who have not signed in: for signing in and the health check. */
  open?: true;
  /** A page of another site may navigate the browser here. */
  fromOtherSites?: true;
  /** Which limit of requests it counts for; default: that of all that reads or changes. */
  rate?: RateClass;
  act: (asked: Asked<z.output<Q>, z.output<B>> & Parts) => Promise<Answer> | Answer;
}
/** The parts of a request that a route gets. */
interface Asked<Q, B> {
  actor: Actor;
  query: Q;
  body: B;
  request: Request;
  /** Address of the socket, and what the browser says about itself. */
  from: { address: string; agent: string };
  /**
   * Answers that last ask by it whether the session or token that they began with is still valid and has the same
   * permissions.
   */
  stillSignedIn: () => Promise<boolean>;
}
/** What a client sends: the values in braces, the query as the route reads it, and the body. */
type Sent<Parts, Q extends z.ZodType, B extends z.ZodType> = Parts &
  (unknown extends z.output<Q> ? unknown : { query?: { [K in keyof z.output<Q>]?: z.output<Q>[K] | null } }) &
  (unknown extends z.input<B>
    ? unknown
    : Record<never, never> extends z.input<B>
      ? { body?: z.input<B> }
      : { body: z.input<B> });
/** The types of a route, for its clients. `answer`: what is sent as JSON. */
interface RouteTypes {
  name: string;
  sent: unknown;
  answer: unknown;
}
export interface Route<Types extends RouteTypes = RouteTypes> {
  method: Method;
  /** Such as `/api/jobs/{id}`; lib/http/path-parts.ts has the shapes of the parts in braces. */
  path: string;
  /** The closed shapes that requests are parsed with, for tests and the API document. */
  takes: { query: z.ZodType; body: z.ZodType };
  /** The words of the API document about the route. */
  says: Description & { query?: z.ZodType; body?: z.ZodType };
  /** Answers also people who have not signed in. */
  open: boolean;
  rate: RateClass;
  /** `values` = the decoded values of the parts in braces, in the order of the path. */
  answer(request: Request, values?: readonly string[]): Promise<Response>;
  /**
   * The answer to a person whose page is rendered now, before it becomes JSON. It parses address and body like a
   * request, but does not check where the request comes from.
   */
  answerTo(actor: Actor, request: Request, values: readonly string[]): Promise<Response | object>;
  /** Never set: it only carries the types. */
  types?: Types;
}

/** The status code of nginx for this case; no client receives it. */
const CLIENT_LEFT = 499;
const NOTHING = z.object({});
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Turns a verb into a route, named by method and path: check whether the request is allowed, find the actor, parse the
 * shapes, call the verb, answer. Errors become status codes by one table.
 */
export function handle<
  M extends Method,
  Path extends string,
  Answer extends object,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
>(
  name: `${M} ${Path}`,
  declared: Declaration<Q, B, PartsOf<Path>, Answer>,
): Route<{ name: `${M} ${Path}`; sent: Sent<PartsOf<Path>, Q, B>; answer: Exclude<Answer, Response> }> {
  const [method, path] = name.split(' ') as [M, Path];
  const parts = listPathParts(path);
  const takes = { query: closeSchema(declared.query ?? NOTHING), body: closeSchema(declared.body ?? NOTHING) };
  const answerTo = async (actor: Actor, request: Request, values: readonly string[]) => {
    if (isAnonymous(actor) && !declared.open) throw new AppError('sign_in_needed', 'Sign in first.');
    const body = WITH_BODY.has(request.method) ? await readJson(request) : {};
    return declared.act({
      ...(Object.fromEntries(parts.map((part, i) => [part, parsePart(part, values[i])])) as PartsOf<Path>),
      actor,
      query: parseStrictly(takes.query, readQuery(request), 'query') as z.output<Q>,
      body: parseStrictly(takes.body, body, 'body') as z.output<B>,
      request,
      from: readSignInOrigin(request),
      stillSignedIn: () => hasSameRights(actor, request.headers),
    });
  };
  const answer = async (request: Request, values: readonly string[] = []) => {
    let isKnown = false;
    try {
      guardRequest(request, { fromOtherSites: declared.fromOtherSites ?? false });
      const actor = await resolveActor(request.headers, { use: true, tokens: true });
      isKnown = !isAnonymous(actor);
      const answered = await answerTo(actor, request, values);
      if (!(answered instanceof Response)) return toJsonResponse(answered, declared.status);
      // Nobody reads the body of an answer to HEAD, so its source would never be ended.
      if (request.method !== 'HEAD') return addSecurityHeaders(answered);
      await answered.body?.cancel();
      return addSecurityHeaders(new Response(null, { status: answered.status, headers: answered.headers }));
    } catch (error) {
      // The client has left, so nobody reads the answer, and an interruption caused by it is not an error.
      if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
      return toErrorResponse(error, request, { isKnown });
    }
  };
  const { open = false, rate = method === 'GET' ? 'read' : 'change' } = declared;
  return { method, path, takes, says: declared, open, rate, answer, answerTo };
}

/**
 * Whether an answer that lasts may continue: it began with the permissions of that time, and ends when they change. The
 * client then starts it again.
 */
async function hasSameRights(actor: Actor, headers: Headers): Promise<boolean> {
  const now = await resolveActor(headers, { use: false, tokens: true });
  const serializeRights = ({ id, role, grants, tokenAndOwner }: Actor) =>
    JSON.stringify([id, role, grants, tokenAndOwner]);
  return !isAnonymous(now) && serializeRights(now) === serializeRights(actor);
}

/** Reads `a=1&a=2` as `a=1,2`, the form of lists in URLs of Colonnade. */
function readQuery(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name).join(',')]),
  );
}

function parsePart(name: keyof typeof PATH_PARTS, value: string | undefined): unknown {
  const parsed = PATH_PARTS[name].safeParse(value);
  if (!parsed.success) throw new AppError('not_found', 'There is nothing at this address.');
  return parsed.data;
}
