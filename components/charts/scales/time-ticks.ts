const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];

/**
 * Returns at most `max` moments between two times (epoch ms) at round local hours or days. `offsetMs` = local time
 * minus UTC.
 */
export function buildTimeTicks(from: number, to: number, offsetMs: number, max = 7): number[] {
  const span = to - from;
  const step = STEPS.find((s) => span / s <= max - 1) ?? Math.ceil(span / (max - 1) / DAY) * DAY;
  if (span <= 0) return [from];
  const ticks: number[] = [];
  for (let at = Math.ceil((from + offsetMs) / step) * step - offsetMs; at <= to; at += step) ticks.push(at);
  return ticks;
}
