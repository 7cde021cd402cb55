import type { messages } from './index';
import type { Locale as Known } from './locales';

/** A key that no file of English messages has is an error of types; the other language has the same keys by test. */
declare module 'use-intl' {
  interface AppConfig {
    Locale: Known;
    Messages: (typeof messages)['en'];
  }
}
