/** Nobody is signed in (any more): to where that can be done, and back to this page afterwards. */
export function toSignIn(): void {
  const { pathname, search } = window.location;
  if (/^\/(sign-in|welcome)$/.test(pathname)) return;
  const here = `${pathname}${search}`;
  window.location.assign(here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`);
}
