'use client';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useMemo } from 'react';
import { IntlProvider, useLocale, useMessages } from 'use-intl';
import { parseSentMessages } from '@/components/data/first-html/sent-messages';

/**
 * What a page draws with beside the frame: whole namespaces, in the place of what the frame has of them. `locale`: of
 * these messages. Who chose another language in another tab has a frame of the former one, which is asked for anew.
 */
export function MoreMessages(props: { locale: string; messages: string; children: ReactNode }) {
  const { locale, messages, children } = props;
  const frame = useMessages();
  const frameLocale = useLocale();
  const router = useRouter();
  const all = useMemo(() => ({ ...frame, ...parseSentMessages(messages) }), [frame, messages]);
  useEffect(() => {
    if (locale !== frameLocale) router.refresh();
  }, [locale, frameLocale, router]);
  return (
    <IntlProvider locale={frameLocale} messages={all}>
      {children}
    </IntlProvider>
  );
}
