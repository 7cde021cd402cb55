/** The fields of a browser's trace event that are needed here; times in µs of the system's monotonic clock. */
export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
}

/** Events of scripts, microtasks and garbage collection; not style, layout and paint, even if a script causes them. */
const SCRIPT =
  /^(EventDispatch|FunctionCall|TimerFire|FireAnimationFrame|RunMicrotasks|EvaluateScript|MinorGC|MajorGC|BlinkScheduler_PerformMicrotaskCheckpoint|v8\..*|V8\..*)$/;

/**
 * Returns the script time of each input in ms: the own time of the thread's events, without nested events.
 *
 * @param begins When each input began; the last one ends with the trace.
 */
export function measureScriptMs(events: readonly TraceEvent[], begins: readonly number[]): number[] {
  const mine = ofPage(events).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const costs = begins.map(() => 0);
  const open: { end: number; act: number; isScript: boolean }[] = [];
  const add = ({ act, isScript }: { act: number; isScript: boolean }, us: number) => {
    if (isScript && act >= 0) costs[act]! += us / 1000;
  };
  for (const { name, ts, dur } of mine) {
    while (open.length > 0 && open.at(-1)!.end <= ts) open.pop();
    const around = open.at(-1);
    if (around) add(around, -dur);
    const one = { end: ts + dur, act: begins.findLastIndex((begin) => begin <= ts), isScript: SCRIPT.test(name) };
    add(one, dur);
    open.push(one);
  }
  return costs;
}

/** Returns the complete events of the thread that lays the page out. */
function ofPage(events: readonly TraceEvent[]): (TraceEvent & { dur: number })[] {
  const laidOut = events.find(({ name }) => name === 'Layout' || name === 'UpdateLayoutTree');
  if (laidOut === undefined) throw new Error('The trace holds no page that was laid out.');
  return events.filter(
    (event): event is TraceEvent & { dur: number } =>
      event.ph === 'X' && event.dur !== undefined && event.pid === laidOut.pid && event.tid === laidOut.tid,
  );
}
