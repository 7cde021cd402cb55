import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { type ReactNode, Suspense } from 'react';
import { preload } from 'react-dom';
import { Prefetched } from '@/app/prefetched';
import { AppShell } from '@/components/layout/app-shell';
import { config } from '@/lib/runtime/config';
import { messages } from '@/messages';
import { messageAddress } from '@/messages/message-file';
import { prefetchFrame } from './prefetch-snapshot-pages';
import './globals.css';
import { readLocale } from './locale';
import { Providers } from './providers';
import { buildSiteMetadata, SITE_VIEWPORT } from './site-metadata';

export async function generateMetadata(): Promise<Metadata> {
  const origin = config.publicOrigin ?? `http://${(await headers()).get('host')}`;
  return buildSiteMetadata(origin, messages[await readLocale()].ui.tagline);
}

export const viewport = SITE_VIEWPORT;

export default async function RootLayout({ children }: { children: ReactNode }) {
  const locale = await readLocale();
  const asked = await headers();
  const nonce = asked.get('x-nonce') ?? undefined;
  const address = messageAddress(locale);
  // The browser loads the messages at the same time as the scripts, which need them.
  preload(address, { as: 'fetch', crossOrigin: 'anonymous' });
  return (
    <html lang={locale} suppressHydrationWarning>
      <body>
        <Providers locale={locale} messages={address} nonce={nonce}>
          <Prefetched read={(ask) => prefetchFrame(ask, asked.get('x-pathname') ?? '')}>
            {/* The only boundary. A second one would be hydrated later, when the cache already has newer data than the
               server's HTML. */}
            <Suspense>
              <AppShell>{children}</AppShell>
            </Suspense>
          </Prefetched>
        </Providers>
      </body>
    </html>
  );
}
