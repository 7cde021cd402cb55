import { z } from 'zod';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { strictly } from '@/lib/model/strictly';
import { actorOf, isAnonymous } from './access/actor-of';
import { guard } from './access/guard';
import { cameFrom } from './came-from';
import { parseStrictly } from './parse-strictly';
import { readJson } from './read-json';
import { errorResponse, jsonResponse, secured } from './respond';

/** An id in a path. Whatever looks different cannot be one of Colonnade. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
/** A path with one id. */
export const WithId = z.object({ id: Id });

/** What the document of the API says of a route (GET /api/openapi.json). */
interface Description {
  summary: string;
  /** What comes back, in words. */
  answer: string;
  /** The fields of the answer whose shapes are known. */
  holds?: Record<string, z.ZodType>;
  /** JSON unless given. */
  contentType?: string;
  /** Of an answer without an error; 200 unless given. */
  status?: number;
}
interface Shapes<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> extends Description {
  /** Segments of the path; one that does not fit is `not_found`. */
  params?: P;
  /** Closed here, whatever they are: a name that no shape knows is refused. Absent = nothing is taken. */
  query?: Q;
  body?: B;
  /** Also for whoever has not signed in: signing in itself, and whether the process lives. */
  open?: true;
  /** A browser may be led here by a page of another site. */
  navigated?: true;
}
interface Asked<P, Q, B> {
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  request: Request;
  /** From where: address of the socket and what the browser says of itself. */
  from: { address: string; agent: string };
  /** For answers that last: whether the session or token they began with still holds, and gives the same rights. */
  stillSignedIn: () => Promise<boolean>;
}
export interface RouteHandler {
  (request: Request, context: { params: Promise<Record<string, string | string[] | undefined>> }): Promise<Response>;
  /** What is parsed with, for those who describe or test the routes. */
  takes: { query: z.ZodType; body: z.ZodType };
  says: Description & { query?: z.ZodType; body?: z.ZodType };
  /** Answers also whoever has not signed in. */
  open: boolean;
}

/** As nginx logs it; nobody receives it. */
const CLIENT_LEFT = 499;
const NOTHING = z.object({});
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The one way from a request to a verb: may it be asked at all → who asks → shapes → verb → answer, errors by the one
 * table.
 */
export function handle<
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
>(
  shapes: Shapes<P, Q, B>,
  act: (asked: Asked<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Response | object> | Response | object,
): RouteHandler {
  const takes = { query: strictly(shapes.query ?? NOTHING), body: strictly(shapes.body ?? NOTHING) };
  const answerTo = async (request: Request, context: Parameters<RouteHandler>[1]) => {
    let isKnown = false;
    try {
      guard(request, { navigated: shapes.navigated ?? false });
      const actor = await actorOf(request.headers, { use: true, tokens: true });
      isKnown = !isAnonymous(actor);
      if (isAnonymous(actor) && !shapes.open) throw new AppError('sign_in_needed', 'Sign in first.');
      const body = WITH_BODY.has(request.method) ? await readJson(request) : {};
      const asked = {
        actor,
        params: paramsOf(shapes.params, await context.params) as z.output<P>,
        query: parseStrictly(takes.query, queryOf(request), 'query') as z.output<Q>,
        body: parseStrictly(takes.body, body, 'body') as z.output<B>,
        request,
        from: cameFrom(request),
        stillSignedIn: () => isStill(actor, request.headers),
      };
      const answer = await act(asked);
      if (!(answer instanceof Response)) return jsonResponse(answer, shapes.status);
      // Nobody reads the body of an answer to HEAD, and nobody would end what makes it.
      if (request.method !== 'HEAD') return secured(answer);
      await answer.body?.cancel();
      return secured(new Response(null, { status: answer.status, headers: answer.headers }));
    } catch (error) {
      // Nobody is there to read it, and what was interrupted for them is no failure.
      if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
      return errorResponse(error, request, { isKnown });
    }
  };
  return Object.assign(answerTo, { takes, says: shapes, open: shapes.open ?? false });
}

/** What lasts was begun with the rights of then: with fewer it ends, and is begun anew. */
async function isStill(actor: Actor, headers: Headers): Promise<boolean> {
  const now = await actorOf(headers, { use: false, tokens: true });
  const rights = ({ id, role, grants, lowerOf }: Actor) => JSON.stringify([id, role, grants, lowerOf]);
  return !isAnonymous(now) && rights(now) === rights(actor);
}

/** `a=1&a=2` reads as `a=1,2`, as lists are written in our URLs. */
function queryOf(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name).join(',')]),
  );
}

function paramsOf(shape: z.ZodType | undefined, value: unknown): unknown {
  if (!shape) return undefined;
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new AppError('not_found', 'There is nothing at this address.');
  return parsed.data;
}
