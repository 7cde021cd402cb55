import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useInstance } from '@/components/data/queries/use-instances';
import { INSTANCE_PLACES, MAIN_PLACES } from './places';
import { useHere } from './use-here';

const OTHER_PLACES: Record<string, 'nav.register' | 'nav.account' | 'nav.users'> = {
  '/instances/new': 'nav.register',
  '/account': 'nav.account',
  '/users': 'nav.users',
};

/**
 * The title of the tab: page, instance, product. It sets `document.title`, because the browser shows the first of
 * several title elements, and the title element of the page itself (app/page-title.ts) may be streamed before this one
 * or renewed after it.
 */
export function PageTitle() {
  const t = useTranslations();
  const { pathname, instanceId, page } = useHere();
  const instance = useInstance(instanceId).data;
  const place = instanceId
    ? INSTANCE_PLACES.find((p) => p.href === page)
    : MAIN_PLACES.find((p) => (p.href === '/' ? pathname === '/' : pathname.startsWith(p.href)));
  const own = OTHER_PLACES[pathname];
  const label = place ? t(place.label) : own ? t(own) : null;
  // The rule id comes first, because several rules are often open in tabs next to each other.
  const rule = page === '/findings' ? decodeURIComponent(pathname.split('/')[4] ?? '') : '';
  const title = [rule, label, instance?.name, 'Colonnade'].filter(Boolean).join(' · ');
  useEffect(() => {
    const say = () => {
      if (document.title !== title) document.title = title;
    };
    say();
    const changed = new MutationObserver(say);
    changed.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => changed.disconnect();
  }, [title]);
  return null;
}
