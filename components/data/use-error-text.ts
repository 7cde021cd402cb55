'use client';
import { useTranslations } from 'use-intl';
import type { ErrorDetails } from '@/lib/model/errors';
import { asErrorBody } from './api-error';

/** What happened and what to try, in the reader's language; the server's own words stay available as `detail`. */
export function useErrorText() {
  const t = useTranslations('errors');
  return (error: unknown): { title: string; hint: string; detail: string; code: string } => {
    const body = asErrorBody(error);
    const code = t.has(`${body.code}.title`) ? body.code : 'internal';
    const params = textParams(body.details);
    return {
      code: body.code,
      title: t(`${code}.title`, params),
      hint: t.has(`${code}.hint`) ? t(`${code}.hint`, params) : '',
      detail: body.message,
    };
  };
}

/** Sentences name these; a server that did not tell one must not break the sentence. */
const NAMED = { host: '', port: '', address: '', command: '', db: '', reason: '', name: '', user: '', username: '' };

function textParams(details: ErrorDetails = {}): Record<string, string | number> {
  const params: Record<string, string | number> = { ...NAMED };
  for (const [key, value] of Object.entries(details)) {
    if (value === null) continue;
    params[key] = Array.isArray(value) ? value.join(', ') : typeof value === 'boolean' ? String(value) : value;
  }
  return params;
}
