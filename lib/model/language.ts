/** The languages of pages, and of the order of names. */
export const PAGE_LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof PAGE_LANGUAGES)[number];

/**
 * Returns the language that the reader chose (`chosen`, a cookie), else the one of the browser (Accept-Language), else
 * English.
 */
export function chooseLanguage(chosen: string | undefined, wanted: string): Language {
  const known = PAGE_LANGUAGES.find((language) => language === chosen);
  if (known) return known;
  for (const part of wanted.toLowerCase().split(',')) {
    if (part.trim().startsWith('zh')) return 'zh-CN';
    if (part.trim().startsWith('en')) return 'en';
  }
  return 'en';
}
