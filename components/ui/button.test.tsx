// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { Button } from './button';

afterEach(cleanup);

it('takes a double click for one where it starts something, and each click where it does not', () => {
  const count = { saved: 0, submitted: 0, turned: 0 };
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        count.submitted++;
      }}
    >
      <Button type="submit" busy={false} onClick={() => count.saved++}>
        Save
      </Button>
      <Button onClick={() => count.turned++}>Next</Button>
    </form>,
  );
  const [save, next] = [screen.getByText('Save'), screen.getByText('Next')];
  // A browser counts the clicks of a double click in `detail`.
  for (const button of [save, next]) for (const detail of [1, 2]) fireEvent.click(button, { detail });
  expect(count).toEqual({ saved: 1, submitted: 1, turned: 2 });
  fireEvent.click(save, { detail: 1 });
  // A key press has `detail` 0.
  fireEvent.click(save, { detail: 0 });
  expect(count).toEqual({ saved: 3, submitted: 3, turned: 2 });
});
