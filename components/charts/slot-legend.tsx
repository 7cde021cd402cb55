import { useEffect, useState } from 'react';
import { css } from '@/components/charts/scales/chart-colors';
import { buildStepColors } from '@/components/charts/scales/slot-colors';
import { useThemeVersion } from './use-theme-version';

/** Shows the colour steps of the slot map with their labels. */
export function SlotLegend(props: { palette: 'sequential' | 'skew'; labels: string[]; outlier: boolean }) {
  const { palette, labels, outlier } = props;
  const theme = useThemeVersion();
  const [colors, setColors] = useState<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme version asks for new colours
  useEffect(
    () => setColors(buildStepColors(palette, labels.length, outlier).map((c) => css(c))),
    [palette, labels.length, outlier, theme],
  );
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted-foreground">
      {labels.map((label, i) => (
        <li key={label} className="flex items-center gap-1.5 tabular-nums">
          <span aria-hidden="true" className="size-3 rounded-[3px]" style={{ background: colors[i] }} />
          {label}
        </li>
      ))}
    </ul>
  );
}
