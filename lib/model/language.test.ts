import { expect, it } from 'vitest';
import { chooseLanguage } from './language';

it.each([
  ['en', 'zh-CN,zh;q=0.9', 'en'],
  ['zh-CN', 'en', 'zh-CN'],
  ['fr', 'zh', 'zh-CN'],
  [undefined, 'fr-FR, ZH-Hans;q=0.8, en;q=0.5', 'zh-CN'],
  [undefined, 'de, en-GB;q=0.8, zh;q=0.5', 'en'],
  [undefined, 'de', 'en'],
  [undefined, '', 'en'],
])('chosen %s, wanted %j: %s', (chosen, wanted, language) => {
  expect(chooseLanguage(chosen, wanted)).toBe(language);
});
