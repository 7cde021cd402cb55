'use client';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ComingSnapshot } from '@/components/data/coming-snapshot';
import { JobEvents } from '@/components/data/events/job-events';
import { ServerSilent } from '@/components/data/events/server-silent';
import { Sheet, SheetContent } from '@/components/ui/overlays/sheet';
import { BareShell } from './bare-shell';
import { FreshSignIn } from './fresh-sign-in/fresh-sign-in';
import { PageTitle } from './navigation/page-title';
import { Sidebar } from './navigation/sidebar';
import { StoreReadOnly } from './store-read-only';
import { TopBar } from './top-bar/top-bar';

export function AppShell({ children }: { children: ReactNode }) {
  const t = useTranslations('nav');
  const pathname = usePathname();
  const [menuOpen, setMenuOpen] = useState(false);
  if (pathname === '/sign-in' || pathname === '/welcome') return <BareShell>{children}</BareShell>;
  return (
    <div className="min-h-dvh lg:pl-56">
      <PageTitle />
      <a
        href="#content"
        className="sr-only z-[70] rounded-md bg-accent-solid px-3 py-2 text-accent-foreground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('skip')}
      </a>
      <aside className="fixed inset-y-0 left-0 z-30 hidden w-56 border-r bg-surface lg:block">
        <Sidebar />
      </aside>
      <Sheet open={menuOpen} onOpenChange={setMenuOpen}>
        <SheetContent side="left" title={t('menu')} hideTitle className="w-72">
          <Sidebar onNavigate={() => setMenuOpen(false)} />
        </SheetContent>
      </Sheet>
      <TopBar onMenu={() => setMenuOpen(true)} />
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[1680px] px-4 py-5 outline-none sm:px-6">
        <ServerSilent />
        <StoreReadOnly />
        <ComingSnapshot />
        {children}
      </main>
      {/* Next to the pages, not around them: an event received before a page is hydrated would not match the server's
         HTML. */}
      <JobEvents />
      <FreshSignIn />
    </div>
  );
}
