import { z } from 'zod';
import type { Actor } from '@/lib/model/actor';
import { closeSchema } from '@/lib/model/close-schema';
import { AppError } from '@/lib/model/errors';
import { guardRequest } from './access/guard-request';
import { isAnonymous, resolveActor } from './access/resolve-actor';
import { parseStrictly } from './parse-strictly';
import { readJson } from './read-json';
import { addSecurityHeaders, toErrorResponse, toJsonResponse } from './respond';
import { readSignInOrigin } from './sign-in-origin';

/** An id in a path. A value of another form cannot be an id of Colonnade. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
/** Shape of a path with one id. */
export const WithId = z.object({ id: Id });

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
interface Shapes<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends Description {
  /** Segments of the path; if one does not fit, the error is `not_found`. */
  params?: P;
  /** Unknown names are always refused, whatever the shape says. Absent = no parameters or no body are accepted. */
  query?: Q;
  body?: B;
  /** Answers also people who have not signed in: for signing in and the health check. */
  open?: true;
  /** A page of another site may navigate the browser here. */
  fromOtherSites?: true;
}
/** What a route gets. */
interface Asked<P, Q, B> {
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  request: Request;
  /** Address of the socket, and what the browser says about itself. */
  from: { address: string; agent: string };
  /**
   * For answers that last: whether the session or token that they began with is still valid and has the same
   * permissions.
   */
  stillSignedIn: () => Promise<boolean>;
}
export interface RouteHandler {
  (request: Request, context: { params: Promise<Record<string, string | string[] | undefined>> }): Promise<Response>;
  /** The closed shapes that requests are parsed with, for tests. */
  takes: { query: z.ZodType; body: z.ZodType };
  /** What the API document says about the route. */
  says: Description & { query?: z.ZodType; body?: z.ZodType };
  /** Answers also people who have not signed in. */
  open: boolean;
}

/** The status code of nginx for this case; no client receives it. */
const CLIENT_LEFT = 499;
const NOTHING = z.object({});
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Turns a verb into a route: check whether the request is allowed, find the actor, parse the shapes, call the verb,
 * answer. Errors become status codes by one table.
 */
export function handle<
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
>(
  shapes: Shapes<P, Q, B>,
  act: (asked: Asked<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Response | object> | Response | object,
): RouteHandler {
  const takes = { query: closeSchema(shapes.query ?? NOTHING), body: closeSchema(shapes.body ?? NOTHING) };
  const answerRequest = async (request: Request, context: Parameters<RouteHandler>[1]) => {
    let isKnown = false;
    try {
      guardRequest(request, { fromOtherSites: shapes.fromOtherSites ?? false });
      const actor = await resolveActor(request.headers, { use: true, tokens: true });
      isKnown = !isAnonymous(actor);
      if (isAnonymous(actor) && !shapes.open) throw new AppError('sign_in_needed', 'Sign in first.');
      const body = WITH_BODY.has(request.method) ? await readJson(request) : {};
      const asked = {
        actor,
        params: parseParams(shapes.params, await context.params) as z.output<P>,
        query: parseStrictly(takes.query, readQuery(request), 'query') as z.output<Q>,
        body: parseStrictly(takes.body, body, 'body') as z.output<B>,
        request,
        from: readSignInOrigin(request),
        stillSignedIn: () => hasSameRights(actor, request.headers),
      };
      const answer = await act(asked);
      if (!(answer instanceof Response)) return toJsonResponse(answer, shapes.status);
      // Nobody reads the body of an answer to HEAD, so its source would never be ended.
      if (request.method !== 'HEAD') return addSecurityHeaders(answer);
      await answer.body?.cancel();
      return addSecurityHeaders(new Response(null, { status: answer.status, headers: answer.headers }));
    } catch (error) {
      // The client has left, so nobody reads the answer, and an interruption caused by it is not an error.
      if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
      return toErrorResponse(error, request, { isKnown });
    }
  };
  return Object.assign(answerRequest, { takes, says: shapes, open: shapes.open ?? false });
}

/**
 * Whether an answer that lasts may continue: it began with the permissions of that time, and ends when they change. The
 * client then starts it again.
 */
async function hasSameRights(actor: Actor, headers: Headers): Promise<boolean> {
  const now = await resolveActor(headers, { use: false, tokens: true });
  const serializeRights = ({ id, role, grants, lowerOf }: Actor) => JSON.stringify([id, role, grants, lowerOf]);
  return !isAnonymous(now) && serializeRights(now) === serializeRights(actor);
}

/** Reads `a=1&a=2` as `a=1,2`, the form of lists in URLs of Colonnade. */
function readQuery(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name).join(',')]),
  );
}

function parseParams(shape: z.ZodType | undefined, value: unknown): unknown {
  if (!shape) return undefined;
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new AppError('not_found', 'There is nothing at this address.');
  return parsed.data;
}
