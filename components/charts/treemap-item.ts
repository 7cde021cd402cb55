import type { Part } from '@/components/charts/scales/treemap-layout';

export interface TreemapItem {
  id: string;
  label: string;
  value: number;
  valueLabel: string;
  /** Instead of `valueLabel` where that does not fit. */
  valueShort: string;
  /** Design token, e.g. `--chart-1`. */
  color: string;
  /** How much of the colour covers the ground, 0…1. */
  strength?: number;
  opens: boolean;
  /** The second level. */
  parts?: readonly Part[];
}
