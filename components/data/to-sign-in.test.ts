// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { beginSignOut, endSignOut, toSignIn } from './to-sign-in';

afterEach(() => {
  endSignOut();
  vi.restoreAllMocks();
});
const went = () => vi.spyOn(window.location, 'assign').mockImplementation(() => {});

it('leads to where somebody can sign in, and back', () => {
  window.history.replaceState(null, '', '/jobs?show=ended');
  const assign = went();
  toSignIn();
  expect(assign.mock.calls).toEqual([['/sign-in?next=%2Fjobs%3Fshow%3Dended']]);
});

it('leads nowhere while somebody signs out: they go to the provider first', () => {
  const assign = went();
  beginSignOut();
  toSignIn();
  expect(assign).not.toHaveBeenCalled();
  // The reader comes back with the back button of the browser.
  window.dispatchEvent(new Event('pageshow'));
  toSignIn();
  expect(assign).toHaveBeenCalledOnce();
});
