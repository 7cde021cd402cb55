/**
 * Where to go after signing in: a path of this server, or its first page. `//evil`, `/\\evil`, a scheme or a control
 * character lead elsewhere in some browser, so a path begins with one slash and is read once as browsers read it.
 */
export function safeReturn(next: string | null | undefined): string {
  if (!next || next.length > 2000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/';
  const base = 'http://colonnade.invalid';
  const url = URL.canParse(next, base) ? new URL(next, base) : null;
  if (url === null || url.origin !== base || /^\/(sign-in|welcome|api)(\/|$)/.test(url.pathname)) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith('//') ? '/' : path;
}
