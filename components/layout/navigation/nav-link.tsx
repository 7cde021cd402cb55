import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';

export function NavLink(props: {
  href: string;
  icon: LucideIcon;
  active: boolean;
  onNavigate?: () => void;
  end?: ReactNode;
  children: ReactNode;
}) {
  const Icon = props.icon;
  return (
    <Link
      href={props.href}
      onClick={props.onNavigate}
      aria-current={props.active ? 'page' : undefined}
      className={cn(
        'flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors max-lg:h-10',
        props.active
          ? 'bg-accent-soft font-medium text-accent'
          : 'text-muted-foreground hover:bg-hover hover:text-foreground',
      )}
    >
      <Icon className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
      <span className="min-w-0 flex-1 truncate">{props.children}</span>
      {props.end}
    </Link>
  );
}
