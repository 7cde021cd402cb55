import { onTestFinished } from 'vitest';

/**
 * Shifts the clock of this process against that of every server, which uses the clock of the machine. It is restored
 * when the test ends.
 */
export function shiftOurClock(ms: number): () => void {
  const real = Date.now;
  Date.now = () => real() + ms;
  const back = () => {
    Date.now = real;
  };
  onTestFinished(back);
  return back;
}
