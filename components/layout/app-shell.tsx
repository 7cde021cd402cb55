'use client';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ComingSnapshot } from '@/components/data/coming-snapshot';
import { JobEvents } from '@/components/data/events/job-events';
import { ServerSilent } from '@/components/data/events/server-silent';
import { useSession } from '@/components/data/queries/accounts/use-session';
import { Alert } from '@/components/ui/alert';
import { Sheet, SheetContent } from '@/components/ui/overlays/sheet';
import { FreshSignIn } from './fresh-sign-in/fresh-sign-in';
import { LanguageMenu } from './menus/language-menu';
import { ThemeMenu } from './menus/theme-menu';
import { Brand } from './navigation/brand';
import { PageTitle } from './navigation/page-title';
import { Sidebar } from './navigation/sidebar';
import { TopBar } from './top-bar/top-bar';

/** The frame of all pages: menu at the left, bar at the top, and what listens for events of the server. */
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
        <SheetContent title={t('menu')}>
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
      {/* Next to the pages, not around them: a page that is hydrated after an event would not match the server's HTML. */}
      <JobEvents />
      <FreshSignIn />
    </div>
  );
}

/** The frame of the pages that need no sign-in. It loads no data except whether anybody can sign in. */
function BareShell({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-12 items-center gap-1.5 border-b bg-surface px-4">
        <Brand />
        <div className="flex-1" />
        <LanguageMenu />
        <ThemeMenu />
      </header>
      <main id="content" className="mx-auto grid w-full max-w-md flex-1 content-start px-4 py-10 sm:py-16">
        <StoreReadOnly signedOut />
        {children}
      </main>
    </div>
  );
}

/**
 * Says on every page that the control database refuses writes: the data shown is correct, but nothing can be changed.
 * `signedOut`: for pages where a person would sign in, which is not possible, because that writes a session.
 */
function StoreReadOnly({ signedOut = false }: { signedOut?: boolean }) {
  const t = useTranslations('nav');
  if (!useSession().data?.storeReadOnly) return null;
  return (
    <Alert tone="danger" title={t(signedOut ? 'noSignIn' : 'storeReadOnly')} className="mb-4">
      {t(signedOut ? 'noSignInText' : 'storeReadOnlyText')}
    </Alert>
  );
}
