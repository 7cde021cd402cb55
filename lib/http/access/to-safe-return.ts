/**
 * Where to go after signing in: a path of this server, else its first page. `//evil`, `/\\evil`, a scheme or a control
 * character lead to other sites in some browsers, so the path must begin with exactly one slash, and it is parsed as
 * browsers parse it.
 */
export function toSafeReturn(next: string | null | undefined): string {
  if (!next || next.length > 2000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/';
  const base = 'http://colonnade.invalid';
  const url = URL.canParse(next, base) ? new URL(next, base) : null;
  if (url === null || url.origin !== base || /^\/(sign-in|welcome|api)(\/|$)/.test(url.pathname)) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith('//') ? '/' : path;
}
