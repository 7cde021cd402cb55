import { useRouter } from 'next/navigation';

/** Returns the function that changes the language: it sets the cookie that the server reads (app/locale.ts). */
export function useSetLocale(): (locale: string) => void {
  const router = useRouter();
  return (locale) => {
    // The cookie is kept for one year and sent to this site only.
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari of plain http
    document.cookie = `locale=${locale};path=/;max-age=31536000;samesite=lax`;
    router.refresh();
  };
}
