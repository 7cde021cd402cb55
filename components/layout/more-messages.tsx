'use client';
import { type ReactNode, useMemo } from 'react';
import { IntlProvider, useLocale, useMessages } from 'use-intl';
import { parseSentMessages } from '@/components/data/first-html/sent-messages';

/** What a page draws with beside the frame: whole namespaces, in the place of what the frame has of them. */
export function MoreMessages({ messages, children }: { messages: string; children: ReactNode }) {
  const frame = useMessages();
  const all = useMemo(() => ({ ...frame, ...parseSentMessages(messages) }), [frame, messages]);
  return (
    <IntlProvider locale={useLocale()} messages={all}>
      {children}
    </IntlProvider>
  );
}
