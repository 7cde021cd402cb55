import { onTestFinished } from 'vitest';

/** Our clock, away from that of every server, which reads the machine's. Back in place when the test ends. */
export function shiftOurClock(ms: number): () => void {
  const real = Date.now;
  Date.now = () => real() + ms;
  const back = () => {
    Date.now = real;
  };
  onTestFinished(back);
  return back;
}
