import { AppError, toErrorBody } from '@/lib/model/errors';
import { addSecurityHeaders, toErrorResponse, toJsonResponse } from './respond';
import type { RouteTable } from './route-table';

/** Answers a request by its route, or says which methods its path has, or that there is no such path. */
export async function answerRequest(routes: RouteTable, request: Request): Promise<Response> {
  const found = routes.find(new URL(request.url).pathname);
  if (!found) return toErrorResponse(new AppError('not_found', 'There is nothing at this address.'), request);
  const { method } = request;
  const route = found.methods.get(method);
  if (route) return route.answer(request, found.values);
  const headers = { allow: [...found.methods.keys(), 'OPTIONS'].sort().join(', ') };
  if (method === 'OPTIONS') return addSecurityHeaders(new Response(null, { status: 204, headers }));
  const error = toErrorBody(new AppError('bad_request', `This address does not answer ${method}.`, { method }));
  const response = toJsonResponse({ error }, 405);
  response.headers.set('allow', headers.allow);
  return response;
}
