import { expect, it } from 'vitest';
import { MIN_PACE, ReaderPace } from './stream-key-export';

const PIECE = 300 * 1024;
/** Returns after how many pieces the download is ended; null = never. */
function lasts(everyMs: number, before = 0): number | null {
  const pace = new ReaderPace();
  for (let i = 0; i < before; i++) pace.recordTaken(PIECE, 0);
  for (let i = 0; i < 10_000; i++)
    try {
      pace.recordTaken(PIECE, everyMs);
    } catch (error) {
      expect(error).toMatchObject({ code: 'too_large' });
      return i;
    }
  return null;
}

it('lets a reader go that takes a piece just before it would have stalled', () => {
  expect(lasts(59_000)).toBeLessThan(5);
});

it('also one that was fast before: what it took then does not count for ever', () => {
  expect(lasts(59_000, 100_000)).toBeLessThan(10);
});

it('keeps whoever takes 17 KB a second, whatever we ourselves take', () => {
  expect(lasts((PIECE / MIN_PACE.minBytes) * MIN_PACE.windowMs * 0.95)).toBeNull();
});
