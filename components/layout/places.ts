import {
  ChartNoAxesGantt,
  Clock,
  FileClock,
  FolderTree,
  Grid3x3,
  Hourglass,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Regex,
  Scale,
  ScrollText,
  Server,
  Shapes,
  ShieldCheck,
  Trash2,
  Weight,
} from 'lucide-react';

/** The map of the product. `label` is a key below `nav.*`. */
export interface Place {
  label: string;
  icon: LucideIcon;
  href: string;
}

export const MAIN_PLACES: readonly Place[] = [
  { label: 'fleet', icon: LayoutDashboard, href: '/' },
  { label: 'jobs', icon: ListChecks, href: '/jobs' },
  { label: 'profiles', icon: Scale, href: '/profiles' },
  { label: 'audit', icon: FileClock, href: '/audit' },
];

/** `href` follows `/instances/:id`. */
export const INSTANCE_PLACES: readonly Place[] = [
  { label: 'overview', icon: ChartNoAxesGantt, href: '' },
  { label: 'findings', icon: ShieldCheck, href: '/findings' },
  { label: 'tree', icon: FolderTree, href: '/tree' },
  { label: 'bigkeys', icon: Weight, href: '/bigkeys' },
  { label: 'ttl', icon: Hourglass, href: '/ttl' },
  { label: 'slots', icon: Grid3x3, href: '/slots' },
  { label: 'keys', icon: KeyRound, href: '/keys' },
  { label: 'types', icon: Shapes, href: '/types' },
  { label: 'patterns', icon: Regex, href: '/patterns' },
  { label: 'idle', icon: Clock, href: '/idle' },
  { label: 'server', icon: Server, href: '/server' },
  { label: 'policy', icon: ScrollText, href: '/policy' },
  { label: 'deletions', icon: Trash2, href: '/deletions' },
];
