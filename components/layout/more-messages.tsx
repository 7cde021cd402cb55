'use client';
import { type ReactNode, useMemo } from 'react';
import { type AbstractIntlMessages, IntlProvider, useLocale, useMessages } from 'use-intl';

/** What a page draws with beside the frame: whole namespaces, in the place of what the frame has of them. */
export function MoreMessages({ messages, children }: { messages: AbstractIntlMessages; children: ReactNode }) {
  const frame = useMessages();
  const all = useMemo(() => ({ ...frame, ...messages }), [frame, messages]);
  return (
    <IntlProvider locale={useLocale()} messages={all}>
      {children}
    </IntlProvider>
  );
}
