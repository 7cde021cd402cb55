import type { ReactNode } from 'react';

export interface HistogramBar {
  id: string;
  label: string;
  value: number;
  color?: string;
}
export interface HistogramProps {
  bars: readonly HistogramBar[];
  label: string;
  height?: number;
  unit: 'count' | 'bytes';
  /** How far the axis goes at least; two drawings side by side share it. */
  highest?: number;
  formatAxis: (value: number) => string;
  tooltip: (index: number) => ReactNode;
  onOpen?: (index: number) => void;
}
