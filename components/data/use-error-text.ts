import { useLocale, useTranslations } from 'use-intl';
import { toast } from '@/components/ui/overlays/toast';
import type { ErrorDetails } from '@/lib/model/errors';
import { asErrorBody } from './api-error';

interface ErrorText {
  code: string;
  /** Says what happened, and the host, command, provider or database that it concerns, if the server named one. */
  title: string;
  /** Says what to try. */
  hint: string;
  /** The server's own sentence, if it adds something; it is always in English. */
  detail: string;
}

/**
 * Returns what happened and what to try, in the reader's language. The server's sentence is exact and says what to do
 * (which address, which user, which certificate), so English readers get it as the hint instead of the general one.
 */
export function useErrorText() {
  const t = useTranslations('errors');
  const english = useLocale() === 'en';
  return (error: unknown): ErrorText => {
    const body = asErrorBody(error);
    const code = t.has(`${body.code}.title`) ? body.code : 'internal';
    const hint = t.has(`${code}.hint`) ? t(`${code}.hint`) : '';
    const exact = english && EXACT.test(code) && body.message !== '';
    return {
      code: body.code,
      title: [t(`${code}.title`), formatSubject(body.details)].filter(Boolean).join(' · '),
      hint: exact ? body.message : hint,
      // "There is no such …" adds nothing to the title.
      detail: exact || code === 'not_found' ? '' : body.message,
    };
  };
}

/** Returns a function that reports a failed action in a message at the edge of the page: what happened, what to try. */
export function useErrorToast(): (error: unknown) => void {
  const errorText = useErrorText();
  return (error) => {
    const { title, hint } = errorText(error);
    toast.error(title, { description: hint });
  };
}

/** Codes whose message says exactly what to do. */
const EXACT =
  /^(redis_|destination_refused|destination_unconfirmed|conflict|job_running|bad_request|unsupported|too_large|vault_key|other_server|deletions_open)/;

function formatSubject(details: ErrorDetails = {}): string {
  const { host, port, command, db, provider } = details;
  if (typeof host === 'string' && host !== '') return typeof port === 'number' ? `${host}:${port}` : host;
  if (typeof command === 'string') return command;
  if (typeof provider === 'string') return provider;
  return typeof db === 'number' ? `db${db}` : '';
}
