// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { createActiveNode, useActivePath } from './active-node';

afterEach(cleanup);

it('follows pointer and keyboard, and leaves the keyboard where it is when the pointer moves', () => {
  const node = createActiveNode();
  expect([node.path(), node.stop()]).toEqual([null, null]);
  node.walk('a:');
  node.point('b:');
  expect([node.path(), node.stop()]).toEqual(['b:', 'a:']);
  node.point(null);
  expect([node.path(), node.stop()]).toEqual([null, 'a:']);
  node.clear();
  expect([node.path(), node.stop()]).toEqual([null, null]);
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
  act(() => node.walk('a:'));
  expect(drawn).toBe(2);
});
