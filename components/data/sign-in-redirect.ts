/** A sign-out has begun. */
let isLeaving = false;

/**
 * Must be called before a sign-out. The page then learns that its session is over, which must not redirect it, because
 * the sign-out at the provider would be interrupted. Lasts until `endSignOut` or until the page is shown again.
 */
export function beginSignOut(): void {
  isLeaving = true;
  window.addEventListener('pageshow', endSignOut, { once: true });
}
export function endSignOut(): void {
  isLeaving = false;
}

/** Called if nobody is signed in (any more): goes to the sign-in page, which returns to this page afterwards. */
export function goToSignIn(): void {
  const { pathname, search } = window.location;
  if (isLeaving || /^\/(sign-in|welcome)$/.test(pathname)) return;
  const here = `${pathname}${search}`;
  window.location.assign(`/sign-in?ended=1${here === '/' ? '' : `&next=${encodeURIComponent(here)}`}`);
}
