import { buildClearedCookies, buildSessionCookies } from './access/session-cookie';
import { toJsonResponse } from './respond';

/** An answer that sets the session cookie, or removes it (`token` null). */
export function answerWithSession(request: Request, token: string | null, { status = 200, body = {} } = {}): Response {
  const response = toJsonResponse(body, status);
  const cookies =
    token === null ? buildClearedCookies() : buildSessionCookies(token, request.headers.get('origin') ?? '');
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
