import {
  Activity,
  BellRing,
  CaseLower,
  ChartColumn,
  ChartNoAxesGantt,
  Clock,
  FileClock,
  FolderTree,
  Gauge,
  GitCompareArrows,
  Grid3x3,
  Hourglass,
  KeyRound,
  Layers,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Regex,
  Scale,
  ScrollText,
  Send,
  Server,
  Shapes,
  ShieldCheck,
  Trash2,
  Users,
  Weight,
} from 'lucide-react';
import { REPORT_ROWS, REPORTS, type ReportIcon } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';

/** The icons that the registry of reports may name. A few are spare, so that the next report needs no change here. */
const REPORT_ICONS: Record<ReportIcon, LucideIcon> = {
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

/** Namespaces of messages whose `title` is the title of a page and also its label in the navigation. */
type Titled =
  | Exclude<ReportName, 'frameworks'>
  | 'fleet'
  | 'users'
  | 'jobs'
  | 'profiles'
  | 'alerts'
  | 'channels'
  | 'audit'
  | 'schedules'
  | 'findings'
  | 'compare'
  | 'policy'
  | 'deletions'
  | 'trends';
type Label = `${Titled | 'instances.server'}.title`;

/** A page in the navigation. */
export interface Place {
  label: Label;
  icon: LucideIcon;
  href: string;
}

/** Shown to those who may manage channels. */
export const CHANNELS_PLACE: Place = { label: 'channels.title', icon: Send, href: '/channels' };

export const MAIN_PLACES: readonly Place[] = [
  { label: 'fleet.title', icon: LayoutDashboard, href: '/' },
  { label: 'jobs.title', icon: ListChecks, href: '/jobs' },
  { label: 'schedules.title', icon: Clock, href: '/schedules' },
  { label: 'alerts.title', icon: BellRing, href: '/alerts' },
  CHANNELS_PLACE,
  { label: 'profiles.title', icon: Scale, href: '/profiles' },
  { label: 'audit.title', icon: FileClock, href: '/audit' },
];
/** Shown to those who may manage users. */
export const USERS_PLACE: Place = { label: 'users.title', icon: Users, href: '/users' };

/** Whether the page at `pathname` is this one of the main places, or below it. */
export const isMainPlace = ({ href }: Place, pathname: string): boolean =>
  href === '/' ? pathname === '/' : pathname.startsWith(href);

const [overview, ...reports] = REPORTS.flatMap((name): Place[] => {
  const { page, icon } = REPORT_ROWS[name];
  return page === null ? [] : [{ label: `${name}.title` as Label, icon: REPORT_ICONS[icon], href: page }];
});

/** `href` is relative to `/instances/:id`. */
export const INSTANCE_PLACES: readonly Place[] = [
  overview!,
  { label: 'findings.title', icon: ShieldCheck, href: '/findings' },
  { label: 'trends.title', icon: Activity, href: '/trends' },
  { label: 'compare.title', icon: GitCompareArrows, href: '/compare' },
  ...reports,
  { label: 'instances.server.title', icon: Server, href: '/server' },
  { label: 'policy.title', icon: ScrollText, href: '/policy' },
  { label: 'deletions.title', icon: Trash2, href: '/deletions' },
];
