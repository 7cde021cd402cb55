import { ArrowDownToLine } from 'lucide-react';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { parseRedisUrl, type RedisUrl } from '@/lib/model/servers/redis-url';
import type { FormValues } from './form-values';

/** A name for the instance, until a person types a better one. */
function suggestInstanceName(endpoint: RedisUrl['endpoints'][number] | undefined): string {
  if (!endpoint) return '';
  return endpoint.port === 6379 ? endpoint.host : `${endpoint.host}:${endpoint.port}`;
}

/**
 * Parses a Redis URL; null: the text is not one. Valkey's own schemes are accepted as well. A host without a scheme is
 * typed in the field below.
 */
function parseUrl(text: string): RedisUrl | null {
  const url = text.trim().replace(/^valkey(s?):/i, 'redis$1:');
  if (!/^rediss?:\/\//i.test(url)) return null;
  try {
    return parseRedisUrl(url.replace(/^rediss?:/i, (scheme) => scheme.toLowerCase()));
  } catch {
    return null;
  }
}

/** A field for a Redis URL, which fills the form. It is then emptied, so that the password is no longer visible. */
export function UrlField() {
  const t = useTranslations('instances.form');
  const form = useFormContext<FormValues>();
  const [text, setText] = useState('');
  const [state, setState] = useState<'idle' | 'bad' | 'filled'>('idle');
  const fill = (url: string) => {
    const parsed = parseUrl(url);
    if (!parsed) {
      setState('bad');
      return;
    }
    const set = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
    form.setValue(
      'endpoints',
      parsed.endpoints.map(({ host, port }) => ({ host, port: String(port) })),
      set,
    );
    if (parsed.endpoints.length > 1 && form.getValues('topology') === 'standalone')
      form.setValue('topology', 'cluster', set);
    form.setValue('tls.enabled', parsed.tls, set);
    form.setValue('username', parsed.username ?? '', set);
    if (parsed.password !== null) form.setValue('secrets.password', parsed.password, set);
    if (parsed.database) form.setValue('databases', String(parsed.database), set);
    if (form.getValues('name') === '') form.setValue('name', suggestInstanceName(parsed.endpoints[0]), set);
    setText('');
    setState('filled');
  };
  return (
    <div className="flex items-start gap-2 rounded-lg border border-dashed bg-background p-3">
      <Field
        label={t('url')}
        hint={state === 'filled' ? <span className="text-success">{t('urlFilled')}</span> : t('urlHint')}
        error={state === 'bad' ? t('urlBad') : undefined}
        className="min-w-0 flex-1"
      >
        <Input
          value={text}
          placeholder={t('urlPlaceholder')}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
          onChange={(e) => {
            setText(e.target.value);
            setState('idle');
          }}
          onPaste={(e) => {
            const pasted = e.clipboardData.getData('text');
            if (!parseUrl(pasted)) return;
            e.preventDefault();
            fill(pasted);
          }}
          onKeyDown={(e) => {
            if (e.key !== 'Enter') return;
            e.preventDefault();
            fill(text);
          }}
        />
      </Field>
      <Button className="mt-6.5" disabled={text.trim() === ''} onClick={() => fill(text)}>
        <ArrowDownToLine aria-hidden />
        <span className="max-sm:sr-only">{t('urlFill')}</span>
      </Button>
    </div>
  );
}
