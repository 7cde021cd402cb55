import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { guardRequest } from '@/lib/http/access/guard-request';
import { SECURITY_HEADERS, toErrorResponse } from '@/lib/http/respond';
import { config as settings } from '@/lib/runtime/config';

/**
 * In front of the pages: the name under which we are asked, and the policy with a fresh nonce. No boundary for rights:
 * those are asked in the verbs. Routes under /api pass `handle` instead, which reads bodies with a limit of its own.
 */
export function proxy(request: NextRequest): Response {
  try {
    // Providers lead people back here when they have signed out.
    guardRequest(request, { fromOtherSites: request.nextUrl.pathname === '/sign-in' });
  } catch (error) {
    return toErrorResponse(error, request);
  }
  const nonce = randomBytes(16).toString('base64');
  const policy = buildContentSecurityPolicy(nonce, !settings.isProduction);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  // The layout fills the frame of the page with it.
  headers.set('x-pathname', request.nextUrl.pathname);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  for (const name of ['referrer-policy', 'x-content-type-options', 'x-frame-options'])
    response.headers.set(name, SECURITY_HEADERS[name] as string);
  response.headers.set('content-security-policy', policy);
  return response;
}

/**
 * The content security policy of a page. Scripts are allowed only with the nonce of this answer, and what those load.
 * Inline styles are allowed, because charts and popovers position themselves with style attributes; under this policy a
 * style cannot run code.
 */
function buildContentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    // The development build of React evaluates code to rebuild stacks.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const config = {
  matcher: ['/((?!api/|metrics$|_next/static/|_next/image).*)'],
};
