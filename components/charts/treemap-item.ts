import type { Part } from '@/components/charts/scales/treemap-layout';

export interface TreemapItem {
  id: string;
  label: string;
  value: number;
  valueLabel: string;
  /** Shown instead of `valueLabel` where that does not fit. */
  valueShort: string;
  /** Design token, e.g. `--chart-1`. */
  color: string;
  /** Opacity of the colour over the background, 0…1. Default 0.28. */
  strength?: number;
  opens: boolean;
  /** Parts of the item, shown as a second level. */
  parts?: readonly Part[];
}
