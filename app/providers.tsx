'use client';
import { ThemeProvider } from 'next-themes';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { parseSentMessages } from '@/components/data/first-html/sent-messages';
import { QueryProvider } from '@/components/data/query-provider';
import { Toaster } from '@/components/ui/overlays/toaster';
import { GoProvider } from '@/components/ui/underway/go-provider';
import type { Locale } from '@/messages/locales';

export function Providers(props: {
  locale: Locale;
  /** As JSON (parseSentMessages). */
  messages: string;
  nonce?: string;
  children: ReactNode;
}) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={props.nonce}>
      <IntlProvider
        locale={props.locale}
        messages={parseSentMessages(props.messages)}
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
