'use client';
import { ThemeProvider } from 'next-themes';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, use } from 'react';
import { IntlProvider } from 'use-intl';
import { QueryProvider } from '@/components/data/query-provider';
import { Toaster } from '@/components/ui/overlays/toaster';
import { GoProvider } from '@/components/ui/underway/go-provider';
import type { Locale } from '@/messages/locales';
import { askMessages } from './ask-messages';

export function Providers(props: {
  locale: Locale;
  /** Address from which the browser loads the messages of that language. */
  messages: string;
  nonce?: string;
  children: ReactNode;
}) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={props.nonce}>
      <IntlProvider
        locale={props.locale}
        messages={use(askMessages(props.locale, props.messages))}
        timeZone="UTC"
        onError={(error) => {
          if (process.env.NODE_ENV !== 'production') console.warn(error.message);
        }}
      >
        <NuqsAdapter>
          <QueryProvider>
            <GoProvider>{props.children}</GoProvider>
            <Toaster />
          </QueryProvider>
        </NuqsAdapter>
      </IntlProvider>
    </ThemeProvider>
  );
}
