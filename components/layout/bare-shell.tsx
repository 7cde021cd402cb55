import type { ReactNode } from 'react';
import { LanguageMenu } from './menus/language-menu';
import { ThemeMenu } from './menus/theme-menu';
import { Brand } from './navigation/brand';
import { StoreReadOnly } from './store-read-only';

/** The frame of pages without sign-in. It loads no data except whether anybody can sign in. */
export function BareShell({ children }: { children: ReactNode }) {
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
