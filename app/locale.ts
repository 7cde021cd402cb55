import { cookies, headers } from 'next/headers';
import { LOCALE_COOKIE, LOCALES, type Locale } from '@/messages/locales';

/** The reader's choice (cookie), else what the browser asks for, else English. */
export async function readLocale(): Promise<Locale> {
  const chosen = (await cookies()).get(LOCALE_COOKIE)?.value;
  if (isLocale(chosen)) return chosen;
  const wanted = (await headers()).get('accept-language') ?? '';
  for (const part of wanted.split(',')) {
    const tag = part.split(';')[0]?.trim().toLowerCase() ?? '';
    if (tag.startsWith('zh')) return 'zh-CN';
    if (tag.startsWith('en')) return 'en';
  }
  return 'en';
}

function isLocale(value: string | undefined): value is Locale {
  return LOCALES.some((l) => l === value);
}
