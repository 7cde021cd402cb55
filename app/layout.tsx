import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { type ReactNode, Suspense } from 'react';
import { AppShell } from '@/components/layout/app-shell';
import { messages } from '@/messages';
import './globals.css';
import { readLocale } from './locale';
import { Providers } from './providers';

export const metadata: Metadata = {
  description: 'Redis key governance',
  icons: { icon: '/icon.svg' },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fafafb' },
    { media: '(prefers-color-scheme: dark)', color: '#0c0d10' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const locale = await readLocale();
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang={locale} suppressHydrationWarning>
      <body>
        <Providers locale={locale} messages={messages[locale]} nonce={nonce}>
          {/* The only boundary: a second one would be hydrated later, when the cache already knows more than the server's HTML. */}
          <Suspense>
            <AppShell>{children}</AppShell>
          </Suspense>
        </Providers>
      </body>
    </html>
  );
}
