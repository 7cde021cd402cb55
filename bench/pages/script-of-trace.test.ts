import { expect, it } from 'vitest';
import { measureScriptMs, type TraceEvent } from './script-of-trace';

const event = (name: string, ts: number, dur: number, tid = 1): TraceEvent => ({ name, ph: 'X', pid: 1, tid, ts, dur });

it('counts script of each act once, without what is laid out meanwhile and without other threads', () => {
  const events = [
    event('RunTask', 1000, 9000),
    event('EventDispatch', 1000, 6000),
    event('FunctionCall', 2000, 4000),
    event('Layout', 3000, 1000),
    event('MinorGC', 7500, 500),
    event('Paint', 8000, 1000),
    event('FunctionCall', 2000, 5000, 2),
    event('FunctionCall', 20_000, 3000),
    event('V8.GCScavenger', 21_000, 1000),
    event('FunctionCall', 100, 500),
  ];
  expect(measureScriptMs(events, [1000, 15_000])).toEqual([5.5, 3]);
});

it('says that a trace is of no page', () => {
  expect(() => measureScriptMs([event('FunctionCall', 0, 1)], [0])).toThrow('no page');
});
