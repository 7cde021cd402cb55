type Unit = 'count' | 'bytes';

/** About this many steps are on a linear axis. */
const LINEAR_STEPS = 4;

/**
 * Returns round ticks from 0 to at least `max`: counts have steps of 1, 2 or 5 times a power of ten, sizes have steps
 * of a power of two (256 KiB, 16 MiB).
 */
export function buildNiceTicks(max: number, unit: Unit): number[] {
  if (!(max > 0)) return [0, 1];
  const step = chooseStep(max / LINEAR_STEPS, unit);
  const ticks = [0];
  while (ticks.at(-1)! < max) ticks.push(ticks.length * step);
  return ticks;
}

const chooseStep = (rough: number, unit: Unit) =>
  unit === 'bytes' ? 2 ** Math.ceil(Math.log2(rough)) : roundToDecimalStep(rough);

/**
 * Returns round ticks around some values, which need not begin with 0. The ticks span at least a tenth of the largest
 * value, so that a change of a few per mille does not look like a crash.
 */
export function buildTicksAround(values: readonly number[], unit: Unit): number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(high - low, high / 10);
  if (!(span > 0)) return [0, 1];
  const step = chooseStep(span / LINEAR_STEPS, unit);
  const first = Math.max(0, Math.floor((high + low - span) / 2 / step));
  const ticks = [first * step];
  while (ticks.at(-1)! < high || ticks.length < 2) ticks.push((first + ticks.length) * step);
  return ticks;
}

function roundToDecimalStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = [1, 2, 5, 10].find((n) => n * power >= rough) ?? 10;
  return Math.max(1, times * power);
}

/** A logarithmic axis has at most this many ticks above 1. */
const MAX_LOG_TICKS = 5;

/**
 * Returns the ticks of a logarithmic axis: 0, 1, and then powers (of 10, for bytes of 1,024) up to the first that is at
 * least `max`. If there would be too many, every second, third … power is a tick.
 */
export function buildLogTicks(max: number, unit: Unit): number[] {
  const base = unit === 'count' ? 10 : 1024;
  // The logarithm of an exact power may be too large by a rounding error.
  const powers = Math.max(1, Math.ceil(Math.log(Math.max(1, max)) / Math.log(base) - 1e-9));
  const step = Math.ceil(powers / MAX_LOG_TICKS);
  const ticks = [0, 1];
  for (let power = step; ticks.at(-1)! < max; power += step) ticks.push(base ** power);
  return ticks;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps of a time axis in ms, ascending. */
const STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY),
];

/** A time axis has at most this many ticks: more labels would overlap on a phone. */
const MAX_TIME_TICKS = 7;

/** Returns the ticks between two times (epoch ms), at round local hours or days. `offsetMs` = local time minus UTC. */
export function buildTimeTicks(from: number, to: number, offsetMs: number): number[] {
  const span = to - from;
  const gaps = MAX_TIME_TICKS - 1;
  const step = STEPS.find((candidate) => span / candidate <= gaps) ?? Math.ceil(span / gaps / DAY) * DAY;
  if (span <= 0) return [from];
  const ticks: number[] = [];
  for (let at = Math.ceil((from + offsetMs) / step) * step - offsetMs; at <= to; at += step) ticks.push(at);
  return ticks;
}
