import {
  FileClock,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Scale,
  ScrollText,
  Server,
  ShieldCheck,
  Trash2,
} from 'lucide-react';
import { REPORT_ROWS, REPORTS } from '@/lib/model/reports/registry';
import type { ReportName } from '@/lib/model/reports/reports';
import { REPORT_ICONS } from './icons';

/** Pages that use their own title as label, so that their words are in one file per language. */
type Titled = ReportName | 'fleet' | 'jobs' | 'profiles' | 'audit' | 'findings' | 'policy' | 'deletions';
type Label = `${Titled | 'instances.server'}.title`;

/** A page in the navigation. */
export interface Place {
  label: Label;
  icon: LucideIcon;
  href: string;
}

export const MAIN_PLACES: readonly Place[] = [
  { label: 'fleet.title', icon: LayoutDashboard, href: '/' },
  { label: 'jobs.title', icon: ListChecks, href: '/jobs' },
  { label: 'profiles.title', icon: Scale, href: '/profiles' },
  { label: 'audit.title', icon: FileClock, href: '/audit' },
];

const [overview, ...reports] = REPORTS.map((name): Place => {
  const { page, icon } = REPORT_ROWS[name];
  return { label: `${name}.title`, icon: REPORT_ICONS[icon], href: page };
});

/** `href` is relative to `/instances/:id`. */
export const INSTANCE_PLACES: readonly Place[] = [
  overview!,
  { label: 'findings.title', icon: ShieldCheck, href: '/findings' },
  ...reports,
  { label: 'instances.server.title', icon: Server, href: '/server' },
  { label: 'policy.title', icon: ScrollText, href: '/policy' },
  { label: 'deletions.title', icon: Trash2, href: '/deletions' },
];
