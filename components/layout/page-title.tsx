'use client';
import { useTranslations } from 'use-intl';
import { useInstance } from '@/components/data/use-instances';
import { INSTANCE_PLACES, MAIN_PLACES } from './places';
import { useHere } from './use-here';

/** The title of the tab: page, instance, product. React hoists it into the head. */
export function PageTitle() {
  const t = useTranslations('nav');
  const { pathname, instanceId, page } = useHere();
  const instance = useInstance(instanceId).data;
  const place = instanceId
    ? INSTANCE_PLACES.find((p) => p.href === page)
    : MAIN_PLACES.find((p) => (p.href === '/' ? pathname === '/' : pathname.startsWith(p.href)));
  const label = place ? t(place.label) : pathname === '/instances/new' ? t('register') : null;
  // Several rules are often open side by side.
  const rule = page === '/findings' ? decodeURIComponent(pathname.split('/')[4] ?? '') : '';
  return <title>{[rule, label, instance?.name, 'Colonnade'].filter(Boolean).join(' · ')}</title>;
}
