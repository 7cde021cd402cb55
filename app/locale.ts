import { cookies, headers } from 'next/headers';
import { languageOf } from '@/lib/model/language';
import { LOCALE_COOKIE, type Locale } from '@/messages/locales';

/** The reader's choice (cookie), else what the browser asks for, else English. */
export async function readLocale(): Promise<Locale> {
  return languageOf((await cookies()).get(LOCALE_COOKIE)?.value, (await headers()).get('accept-language') ?? '');
}
