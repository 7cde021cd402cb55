import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { chooseLanguage, type Language } from '@/lib/model/language';

/** Seconds after which a browser reloads the page and programs should try again. */
export const RETRY_SECONDS = 10;

const TEXTS: Record<Language, Record<'title' | 'text' | 'again' | 'link' | 'log', string>> = {
  en: {
    title: 'Colonnade cannot use its control database',
    text: 'Nobody can be recognised while it does not answer. Jobs wait at their checkpoint and go on by themselves.',
    again: 'This page tries again every {seconds} seconds.',
    link: 'Try again now',
    log: 'Whoever runs the server finds the reason in its log.',
  },
  'zh-CN': {
    title: 'Colonnade 无法使用控制数据库',
    text: '数据库没有响应，暂时无法确认您的身份。任务停在检查点，恢复后自动继续。',
    again: '本页每 {seconds} 秒自动重试一次。',
    link: '立即重试',
    log: '具体原因见服务器日志，请联系管理员。',
  },
};

const STYLE =
  'body{margin:0;font:16px/1.6 system-ui,sans-serif;color-scheme:light dark}' +
  'main{max-width:36rem;margin:15vh auto;padding:0 1.5rem}section{margin-bottom:2.5rem}h1,h2{font-size:1.25rem}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The headers of the page. It needs no control database and no script: the browser itself reloads it. */
export const UNAVAILABLE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'`,
  'retry-after': String(RETRY_SECONDS),
  refresh: String(RETRY_SECONDS),
};

/**
 * Renders the page in both languages, that of the reader first. The settings of people are in the database, so the
 * language comes from the request.
 */
export function renderUnavailablePage(headers: Pick<IncomingHttpHeaders, 'accept-language' | 'cookie'>): string {
  const first = chooseReaderLanguage(headers);
  const second: Language = first === 'en' ? 'zh-CN' : 'en';
  return `<!doctype html><html lang="${first}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${TEXTS[first].title}</title><style>${STYLE}</style></head><body><main>${renderSection(first, 'h1')}${renderSection(second, 'h2')}</main></body></html>`;
}

function renderSection(language: Language, heading: 'h1' | 'h2'): string {
  const { title, text, again, link, log } = TEXTS[language];
  const every = again.replace('{seconds}', String(RETRY_SECONDS));
  return `<section lang="${language}"><${heading}>${title}</${heading}><p>${text}</p><p>${every} <a href="">${link}</a></p><p>${log}</p></section>`;
}

/** The same choice as in pages (app/locale.ts). */
function chooseReaderLanguage(headers: Pick<IncomingHttpHeaders, 'accept-language' | 'cookie'>): Language {
  const chosen = /(?:^|;\s*)locale=([^;]*)/.exec(headers.cookie ?? '')?.[1];
  return chooseLanguage(chosen, headers['accept-language'] ?? '');
}
