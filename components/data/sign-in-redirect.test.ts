// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { beginSignOut, endSignOut, goToSignIn } from './sign-in-redirect';

afterEach(() => {
  endSignOut();
  vi.restoreAllMocks();
});
const went = () => vi.spyOn(window.location, 'assign').mockImplementation(() => {});

it('leads to where somebody can sign in, and back', () => {
  window.history.replaceState(null, '', '/jobs?show=ended');
  const assign = went();
  goToSignIn();
  expect(assign.mock.calls).toEqual([['/sign-in?ended=1&next=%2Fjobs%3Fshow%3Dended']]);
});

it('leads nowhere while somebody signs out: they go to the provider first', () => {
  const assign = went();
  beginSignOut();
  goToSignIn();
  expect(assign).not.toHaveBeenCalled();
  // The reader comes back with the back button of the browser.
  window.dispatchEvent(new Event('pageshow'));
  goToSignIn();
  expect(assign).toHaveBeenCalledOnce();
});
