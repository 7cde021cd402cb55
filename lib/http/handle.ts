import { z } from 'zod';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { actorOf } from './actor-of';
import { guard } from './guard';
import { readJson } from './read-json';
import { errorResponse, jsonResponse, secured } from './respond';

/** An id in a path. Whatever looks different cannot be one of ours. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

interface Shapes<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  /** Segments of the path; one that does not fit is `not_found`. */
  params?: P;
  query?: Q;
  body?: B;
  /** Of a plain answer; 200 unless told. */
  status?: number;
}
interface Asked<P, Q, B> {
  actor: Actor;
  params: P;
  query: Q;
  body: B;
  request: Request;
}
export type RouteHandler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;

/** The one way from a request to a verb: may it be asked at all → shapes → verb → answer, errors by the one table. */
export function handle<
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
>(
  shapes: Shapes<P, Q, B>,
  act: (asked: Asked<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Response | object> | Response | object,
): RouteHandler {
  return async (request, context) => {
    try {
      guard(request);
      const asked = {
        actor: actorOf(request),
        params: paramsOf(shapes.params, await context.params) as z.output<P>,
        query: parse(shapes.query, queryOf(request), 'query') as z.output<Q>,
        body: (shapes.body ? parse(shapes.body, await readJson(request), 'body') : undefined) as z.output<B>,
        request,
      };
      const answer = await act(asked);
      return answer instanceof Response ? secured(answer) : jsonResponse(answer, shapes.status);
    } catch (error) {
      return errorResponse(error, request);
    }
  };
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

/** Tells which field and what is expected; never repeats what was sent, which may be a password. */
function parse(shape: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!shape) return undefined;
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 20).map((issue) => `${issue.path.join('.') || where}: ${issue.message}`);
  throw new AppError('bad_request', `The ${where} does not fit. ${issues[0]}`, { issues });
}
