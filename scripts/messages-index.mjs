/**
 * Writes messages/index.ts from the files of the folder: one namespace per file, in every language. Run it after adding
 * a file: `node scripts/messages-index.mjs`. A test fails when the index is not what this would write.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../messages');
const LANGUAGES = { en: 'En', 'zh-CN': 'Zh' };

export function messagesIndex() {
  const names = readdirSync(join(folder, 'en'))
    .map((file) => file.replace('.json', ''))
    .sort();
  const imports = (language) =>
    names.map((name) => `import ${name}${LANGUAGES[language]} from './${language}/${name}.json';\n`).join('');
  const entries = (language) => names.map((name) => `    ${name}: ${name}${LANGUAGES[language]},\n`).join('');
  return `// Written by scripts/messages-index.mjs.
import type { AbstractIntlMessages } from 'use-intl';
${imports('en')}import type { Locale } from './locales';
${imports('zh-CN')}
export const messages = {
  en: {
${entries('en')}  },
  'zh-CN': {
${entries('zh-CN')}  },
} satisfies Record<Locale, AbstractIntlMessages>;
`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(folder, 'index.ts'), messagesIndex());
