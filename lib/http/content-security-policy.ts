/**
 * The content security policy of a page. Scripts are allowed only with the nonce of this answer, and what those load.
 * Inline styles are allowed, because charts and popovers position themselves with style attributes; under this policy a
 * style cannot run code.
 */
export function buildContentSecurityPolicy(nonce: string, development: boolean): string {
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
