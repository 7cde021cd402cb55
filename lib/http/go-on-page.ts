import { secured } from './respond';

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * Leads the browser on to a path of ours. No redirect: what follows one still counts as asked by the site the browser
 * came from, and that is refused.
 */
export function goOnPage(path: string, cookies: readonly string[] = []): Response {
  const to = escaped(path);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Colonnade</title><meta http-equiv="refresh" content="0;url=${to}"></head><body><main><a href="${to}">Continue / 继续</a></main></body></html>`;
  const response = new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return secured(response);
}
