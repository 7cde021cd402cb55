/** Of pages, and of the order of names. */
export const PAGE_LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof PAGE_LANGUAGES)[number];

/** What the reader chose (`chosen`, a cookie), else what the browser asks for (Accept-Language), else English. */
export function languageOf(chosen: string | undefined, wanted: string): Language {
  const known = PAGE_LANGUAGES.find((language) => language === chosen);
  if (known) return known;
  for (const part of wanted.toLowerCase().split(',')) {
    if (part.trim().startsWith('zh')) return 'zh-CN';
    if (part.trim().startsWith('en')) return 'en';
  }
  return 'en';
}
