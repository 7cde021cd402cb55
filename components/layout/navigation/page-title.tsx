import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useInstance } from '@/components/data/queries/use-instances';
import { INSTANCE_PLACES, isMainPlace, MAIN_PLACES } from './places';
import { useHere } from './use-here';

/** The labels of pages that the navigation does not list. */
const OTHER_PLACES: Record<string, 'nav.register' | 'nav.account' | 'nav.users'> = {
  '/instances/new': 'nav.register',
  '/account': 'nav.account',
  '/users': 'nav.users',
};

/**
 * Sets the title of the tab: page, instance, product. Pages outside the frame, such as the one for signing in, have
 * metadata of their own; all others have the product's name until this runs. Next.js writes that name again after a
 * navigation, so the title element is watched.
 */
export function PageTitle() {
  const t = useTranslations();
  const { pathname, instanceId, page } = useHere();
  const instance = useInstance(instanceId).data;
  const place = instanceId
    ? INSTANCE_PLACES.find(({ href }) => href === page)
    : MAIN_PLACES.find((place) => isMainPlace(place, pathname));
  const labelKey = place?.label ?? OTHER_PLACES[pathname];
  const label = labelKey ? t(labelKey) : null;
  // The rule id comes first, because several rules are often open in tabs next to each other.
  const rule = page === '/findings' ? decodeURIComponent(pathname.split('/')[4] ?? '') : '';
  const title = [rule, label, instance?.name, 'Colonnade'].filter(Boolean).join(' · ');
  useEffect(() => {
    const setTitle = () => {
      if (document.title !== title) document.title = title;
    };
    setTitle();
    const observer = new MutationObserver(setTitle);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [title]);
  return null;
}
