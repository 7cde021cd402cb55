import {
  Activity,
  CaseLower,
  ChartColumn,
  ChartNoAxesGantt,
  Clock,
  FolderTree,
  Gauge,
  Grid3x3,
  Hourglass,
  KeyRound,
  Layers,
  type LucideIcon,
  Regex,
  Shapes,
  Weight,
} from 'lucide-react';
import type { ReportIcon } from '@/lib/model/reports/registry';

/** The icons that the registry of reports may name; a few are unused, for the next report. */
export const REPORT_ICONS: Record<ReportIcon, LucideIcon> = {
  activity: Activity,
  chart: ChartColumn,
  clock: Clock,
  'folder-tree': FolderTree,
  gauge: Gauge,
  grid: Grid3x3,
  hourglass: Hourglass,
  key: KeyRound,
  layers: Layers,
  letters: CaseLower,
  overview: ChartNoAxesGantt,
  regex: Regex,
  shapes: Shapes,
  weight: Weight,
};
