import type { ReactNode } from 'react';
import { MoreMessages } from '@/components/layout/more-messages';
import { readLocale } from './locale';
import type { PAGE_MESSAGES } from './page-messages';
import { messagesOfPage } from './parsed-messages';

/** Hands the messages of its route to a page, so that no page carries those of all others. */
export function withMessages<P extends object>(
  route: keyof typeof PAGE_MESSAGES,
  Page: (props: P) => ReactNode | Promise<ReactNode>,
) {
  return async function PageWithMessages(props: P) {
    const page = await Page(props);
    const locale = await readLocale();
    return (
      <MoreMessages locale={locale} messages={messagesOfPage(locale, route)}>
        {page}
      </MoreMessages>
    );
  };
}
