import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { asErrorBody } from '@/components/data/api-error';
import { useMay, useSession } from '@/components/data/queries/accounts/use-session';
import { useInstance } from '@/components/data/queries/use-instances';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import { Brand } from './brand';
import { CHANNELS_PLACE, INSTANCE_PLACES, isMainPlace, MAIN_PLACES, USERS_PLACE } from './places';
import { useHere } from './use-here';

export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations('nav');
  const pageTitle = useTranslations();
  const { pathname, instanceId: hereId, page, instanceHref } = useHere();
  const instance = useInstance(hereId);
  // An instance that does not exist (any more) has no pages.
  const instanceId = asErrorBody(instance.error).code === 'not_found' ? null : hereId;
  // With a single user nobody signs in.
  const hasUsers = useSession().data?.singleUser === false;
  const mayManage = useMay('user.manage');
  const mayManageChannels = useMay('instance.manage');
  const main = mayManageChannels ? MAIN_PLACES : MAIN_PLACES.filter((place) => place !== CHANNELS_PLACE);
  const places = hasUsers && mayManage ? [...main, USERS_PLACE] : main;
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-12 shrink-0 items-center px-4">
        <Brand />
      </div>
      <nav aria-label={t('main')} className="flex-1 space-y-5 overflow-y-auto px-2 py-2">
        <ul className="space-y-0.5">
          {places.map((place) => (
            <li key={place.label}>
              <NavLink
                href={place.href}
                icon={place.icon}
                active={isMainPlace(place, pathname)}
                onNavigate={onNavigate}
              >
                {pageTitle(place.label)}
              </NavLink>
            </li>
          ))}
        </ul>
        {instanceId ? (
          <div>
            <p
              className="truncate px-2.5 pb-1.5 font-medium text-2xs text-muted-foreground"
              title={instance.data?.name}
            >
              {instance.data?.name ?? t('instance')}
            </p>
            <ul className="space-y-0.5">
              {INSTANCE_PLACES.map((place) => (
                <li key={place.label}>
                  <NavLink
                    href={instanceHref(instanceId, place.href)}
                    icon={place.icon}
                    active={page === place.href}
                    onNavigate={onNavigate}
                  >
                    {pageTitle(place.label)}
                  </NavLink>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </nav>
    </div>
  );
}

function NavLink(props: {
  href: string;
  icon: LucideIcon;
  active: boolean;
  onNavigate: (() => void) | undefined;
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
    </Link>
  );
}
