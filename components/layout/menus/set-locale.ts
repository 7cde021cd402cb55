/** Sets the cookie that the server reads (app/locale.ts), for one year and for this site only. */
export function setLocaleCookie(locale: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari of plain http
  document.cookie = `locale=${locale};path=/;max-age=31536000;samesite=lax`;
}
