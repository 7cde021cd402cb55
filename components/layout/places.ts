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

/** A report goes by its own title. */
type Label = `${ReportName}.title` | `nav.${'fleet' | 'jobs' | 'profiles' | 'audit'}` | `nav.${InstancePlace}`;
type InstancePlace = 'findings' | 'server' | 'policy' | 'deletions';

/** The map of the product. */
export interface Place {
  label: Label;
  icon: LucideIcon;
  href: string;
}

export const MAIN_PLACES: readonly Place[] = [
  { label: 'nav.fleet', icon: LayoutDashboard, href: '/' },
  { label: 'nav.jobs', icon: ListChecks, href: '/jobs' },
  { label: 'nav.profiles', icon: Scale, href: '/profiles' },
  { label: 'nav.audit', icon: FileClock, href: '/audit' },
];

const [overview, ...reports] = REPORTS.map((name): Place => {
  const { page, icon } = REPORT_ROWS[name];
  return { label: `${name}.title`, icon: REPORT_ICONS[icon], href: page };
});

/** `href` follows `/instances/:id`. */
export const INSTANCE_PLACES: readonly Place[] = [
  overview!,
  { label: 'nav.findings', icon: ShieldCheck, href: '/findings' },
  ...reports,
  { label: 'nav.server', icon: Server, href: '/server' },
  { label: 'nav.policy', icon: ScrollText, href: '/policy' },
  { label: 'nav.deletions', icon: Trash2, href: '/deletions' },
];
