import type { ReactNode } from 'react';

export interface TimelinePoint {
  at: number;
  value: number;
}
export interface TimelineProps {
  points: readonly TimelinePoint[];
  /** Moments to mark, epoch ms. */
  marks: readonly { at: number; label: string }[];
  label: string;
  height?: number;
  formatTime: (at: number) => string;
  unit: 'count' | 'bytes';
  /** By powers, so that what is small can be read beside a peak; 0 has its place there too. */
  log?: boolean;
  formatAxis: (value: number) => string;
  tooltip: (point: TimelinePoint) => ReactNode;
}
