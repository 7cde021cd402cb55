import type { TtlReport } from '@/lib/model/reports/reports';

type Step = TtlReport['timeline'][number];

/**
 * Adds the empty steps that the report leaves out: without them a chart would connect storms across empty times. If
 * that would be more than `max` steps, the steps are returned unchanged.
 */
export function fillTimeline(steps: readonly Step[], max = 2000): Step[] {
  const first = steps[0];
  const last = steps.at(-1);
  if (!first || !last) return [];
  const stepMs = first.stepSeconds * 1000;
  const count = Math.round((last.minuteMs - first.minuteMs) / stepMs) + 1;
  if (count > max || stepMs <= 0) return [...steps];
  const known = new Map(steps.map((step) => [step.minuteMs, step]));
  return Array.from({ length: count }, (_, i) => {
    const minuteMs = first.minuteMs + i * stepMs;
    return known.get(minuteMs) ?? { minuteMs, stepSeconds: first.stepSeconds, keys: 0, bytes: 0 };
  });
}
