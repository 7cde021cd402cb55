import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Alert } from '@/components/ui/alert';
import { useSilentSince } from './heartbeat';

/**
 * Shown above every page: since when the server has not answered. Meanwhile elements marked `data-live` turn grey
 * (globals.css), also in menus, which are rendered outside of the page.
 */
export function ServerSilent() {
  const t = useTranslations('nav');
  const f = useFormat();
  const since = useSilentSince();
  const silent = since !== null;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-silent', silent);
  }, [silent]);
  return silent ? (
    <Alert tone="danger" title={t('serverSilent', { time: f.time(since) })} className="mb-4">
      {t('serverSilentText')}
    </Alert>
  ) : null;
}
