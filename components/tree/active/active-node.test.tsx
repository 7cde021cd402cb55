// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { createActiveNode, useActivePath } from './active-node';

afterEach(cleanup);

it('follows pointer and keyboard, and leaves the keyboard where it is when the pointer moves', () => {
  const node = createActiveNode();
  expect([node.getPath(), node.getFocusedPath()]).toEqual([null, null]);
  node.focus('a:');
  node.point('b:');
  expect([node.getPath(), node.getFocusedPath()]).toEqual(['b:', 'a:']);
  node.point(null);
  expect([node.getPath(), node.getFocusedPath()]).toEqual([null, 'a:']);
  node.clear();
  expect([node.getPath(), node.getFocusedPath()]).toEqual([null, null]);
});

it('draws anew who asks for what has changed', () => {
  const node = createActiveNode();
  let drawn = 0;
  const Active = () => {
    drawn++;
    return <p>{`active ${useActivePath(node)}`}</p>;
  };
  render(<Active />);
  act(() => node.point('a:'));
  expect(screen.getByText('active a:')).toBeTruthy();
  act(() => node.focus('a:'));
  expect(drawn).toBe(2);
});
