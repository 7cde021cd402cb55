// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { createActiveNode, useActivePath, useTabStop } from './active-node';

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

it('draws anew who asks for what has changed, nobody else', () => {
  const node = createActiveNode();
  const drawn = { active: 0, stop: 0 };
  const Active = () => {
    drawn.active++;
    return <p>{`active ${useActivePath(node)}`}</p>;
  };
  const Stop = () => {
    drawn.stop++;
    return <p>{`stop ${useTabStop(node)}`}</p>;
  };
  render(
    <>
      <Active />
      <Stop />
    </>,
  );
  act(() => node.point('a:'));
  expect(screen.getByText('active a:')).toBeTruthy();
  expect(drawn).toEqual({ active: 2, stop: 1 });
  act(() => node.walk('a:'));
  expect(screen.getByText('stop a:')).toBeTruthy();
  expect(drawn).toEqual({ active: 2, stop: 2 });
});
