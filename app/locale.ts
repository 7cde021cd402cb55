import { cookies, headers } from 'next/headers';
import { chooseLanguage } from '@/lib/model/language';
import { LOCALE_COOKIE, type Locale } from '@/messages/locales';

/** The reader's choice (cookie); if there is none, the language that the browser asks for; otherwise English. */
export async function readLocale(): Promise<Locale> {
  return chooseLanguage((await cookies()).get(LOCALE_COOKIE)?.value, (await headers()).get('accept-language') ?? '');
}
