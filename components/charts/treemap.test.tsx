// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TreemapItem } from './draw-treemap';

const draws = vi.hoisted(() => ({ drawTreemap: vi.fn(), redrawTiles: vi.fn() }));
vi.mock('./draw-treemap', () => draws);

import { Treemap } from './treemap';

beforeEach(() => {
  // Sizes are mocked, because the test environment has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.clearAllMocks();
});

const item = (id: string, value: number): TreemapItem => ({
  ...{ id, value, label: id, valueLabel: `${value}`, valueShort: `${value}`, color: '--chart-1' },
});
const ITEMS = [item('carts', 50), item('users', 30), item('locks', 20)];
const redrawn = () =>
  draws.redrawTiles.mock.calls.map(([, tiles]) => tiles.map((tile: { item: TreemapItem }) => tile.item.id));

it('draws the former and the new active tile alone, and everything once the items are others', () => {
  const onActive = vi.fn();
  const of = (items: TreemapItem[], activeId: string | null) => (
    <Treemap
      items={items}
      className=""
      label="Keys"
      activeId={activeId}
      onActive={onActive}
      onOpen={() => undefined}
      onUp={() => undefined}
      tooltip={() => null}
      describe={({ label }) => label}
    />
  );
  const { rerender } = render(of(ITEMS, null));
  const whole = draws.drawTreemap.mock.calls.length;
  expect(whole).toBeGreaterThan(0);
  draws.redrawTiles.mockClear();
  rerender(of(ITEMS, 'carts'));
  rerender(of(ITEMS, 'locks'));
  rerender(of(ITEMS, null));
  expect(redrawn()).toEqual([['carts'], ['carts', 'locks'], ['locks']]);
  expect(draws.drawTreemap.mock.calls.length).toBe(whole);
  rerender(of(ITEMS.slice(1), null));
  expect(draws.drawTreemap.mock.calls.length).toBe(whole + 1);
});

it('says whether the pointer or the keyboard came to a tile', () => {
  const onActive = vi.fn();
  render(
    <Treemap
      items={ITEMS}
      className=""
      label="Keys"
      activeId={null}
      onActive={onActive}
      onOpen={() => undefined}
      onUp={() => undefined}
      tooltip={() => null}
      describe={({ label }) => label}
    />,
  );
  fireEvent.keyDown(screen.getByRole('group', { name: 'Keys' }), { key: 'ArrowRight' });
  expect(onActive).toHaveBeenLastCalledWith('carts', 'keyboard');
  fireEvent.mouseLeave(screen.getByRole('img', { name: 'Keys' }));
  expect(onActive).toHaveBeenLastCalledWith(null, 'pointer');
});
