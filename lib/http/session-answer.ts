import { noSessionCookies, sessionCookies } from './access/session-cookie';
import { jsonResponse } from './respond';

/** An answer that sets the session cookie, or removes it (`token` null). */
export function sessionAnswer(request: Request, token: string | null, { status = 200, body = {} } = {}): Response {
  const response = jsonResponse(body, status);
  const cookies = token === null ? noSessionCookies() : sessionCookies(token, request.headers.get('origin') ?? '');
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
