// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { Space } from './space';
import { useRovingRows } from './use-roving-rows';
import { computeSpaces } from './use-window';

afterEach(cleanup);

it('leaves a row that is far from those in sight at its place', () => {
  const item = (index: number) => ({ start: index * 37, size: 37 });
  expect(computeSpaces([3, 500, 501].map(item), 1000 * 37)).toEqual({
    before: [3 * 37, 496 * 37, 0],
    after: 498 * 37,
  });
  expect(computeSpaces([500, 501, 900].map(item), 1000 * 37)).toEqual({
    before: [500 * 37, 0, 398 * 37],
    after: 99 * 37,
  });
  expect(computeSpaces([], 37)).toEqual({ before: [], after: 37 });
});

it('brings the row of the keyboard into sight again before it goes on', () => {
  function List({ between }: { between: number }) {
    const body = useRef<HTMLTableSectionElement>(null);
    const row = (id: string) => (
      <tr data-row={id}>
        <td>
          <button type="button">{id}</button>
        </td>
      </tr>
    );
    return (
      <table>
        <tbody ref={body} {...useRovingRows(body).listeners}>
          {row('third')}
          <Space height={between} />
          {row('far')}
        </tbody>
      </table>
    );
  }
  const { rerender } = render(<List between={9000} />);
  const button = (name: string) => screen.getByRole('button', { name });
  const seen = vi.spyOn(button('third').closest('tr')!, 'scrollIntoView').mockImplementation(() => {});
  act(() => button('third').focus());
  fireEvent.keyDown(button('third'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(button('third'));
  expect(seen).toHaveBeenCalledOnce();
  rerender(<List between={0} />);
  fireEvent.keyDown(button('third'), { key: 'ArrowDown' });
  expect(document.activeElement).toBe(button('far'));
  expect(seen).toHaveBeenCalledOnce();
});
