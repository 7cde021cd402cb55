let isLeaving = false;

/**
 * Somebody signs out: what the page then hears (its session is over) must not lead it anywhere else, or the provider
 * would never hear of it. Until `endSignOut`, or until the page is shown again.
 */
export function beginSignOut(): void {
  isLeaving = true;
  window.addEventListener('pageshow', endSignOut, { once: true });
}
export function endSignOut(): void {
  isLeaving = false;
}

/** Nobody is signed in (any more): to where that can be done, and back to this page afterwards. */
export function toSignIn(): void {
  const { pathname, search } = window.location;
  if (isLeaving || /^\/(sign-in|welcome)$/.test(pathname)) return;
  const here = `${pathname}${search}`;
  window.location.assign(here === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(here)}`);
}
