import type { UseFormReturn } from 'react-hook-form';
import { AppError } from '@/lib/model/errors';
import { parseRedisUrl, type RedisUrl } from '@/lib/model/servers/redis-url';
import type { FormValues } from './form-values';
import { FROM_SERVER } from './use-field-error';

/** The part of the form that these functions read and change. */
type Form = Pick<
  UseFormReturn<FormValues, unknown, never>,
  'getValues' | 'setValue' | 'setError' | 'clearErrors' | 'formState'
>;

/**
 * Moves what was typed as a URL, or as `host:port` in a field for a host, into the fields it belongs to. It is called
 * before the form is tested or saved too. Returns false if the URL field holds neither; it then has the error.
 */
export function takeTypedAddresses(form: Form): boolean {
  const text = form.getValues('url').trim();
  if (text !== '' && !fillFromUrl(form, text)) return false;
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
  for (const [index, { host }] of form.getValues('endpoints').entries()) {
    const [, typedHost, port] = /^\s*(\[[^\]]+\]|[^:\s/]+):(\d{1,5})\s*$/.exec(host) ?? [];
    if (typedHost === undefined || port === undefined) continue;
    form.setValue(`endpoints.${index}.host`, typedHost, options);
    form.setValue(`endpoints.${index}.port`, port, options);
  }
  return true;
}

/**
 * Fills the form from a URL or `host:port` and empties the URL field, so that a password in it is no longer visible.
 * Returns false if the text is neither; the URL field then has the error.
 */
export function fillFromUrl(form: Form, text: string): boolean {
  let parsed: RedisUrl;
  try {
    parsed = parseRedisUrl(text);
  } catch (error) {
    const isUnixSocket = error instanceof AppError && error.details.reason === 'unix_socket';
    form.setError('url', { type: FROM_SERVER, message: isUnixSocket ? 'unixSocket' : 'url' });
    return false;
  }
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
  const topology = parsed.topology ?? chooseTopology(form.getValues('topology'), parsed);
  form.setValue('topology', topology, options);
  form.setValue(
    'endpoints',
    parsed.endpoints.map(({ host, port }) => ({ host, port: String(port) })),
    options,
  );
  if (parsed.sentinelName !== null) form.setValue('sentinelName', parsed.sentinelName, options);
  form.setValue('tls.enabled', parsed.tls, options);
  form.setValue('username', parsed.username ?? '', options);
  if (parsed.password !== null) form.setValue('secrets.password', parsed.password, options);
  if (parsed.database) form.setValue('databases', String(parsed.database), options);
  if (form.getValues('name') === '') form.setValue('name', suggestInstanceName(parsed), options);
  form.setValue('url', '');
  form.clearErrors('url');
  return true;
}

/** Several addresses cannot be those of a standalone server. */
const chooseTopology = (chosen: FormValues['topology'], { endpoints }: RedisUrl): FormValues['topology'] =>
  endpoints.length > 1 && chosen === 'standalone' ? 'cluster' : chosen;

/** A name for the instance, until a person types a better one. */
function suggestInstanceName({ endpoints: [first], sentinelName }: RedisUrl): string {
  if (sentinelName !== null) return sentinelName.slice(0, 80);
  if (!first) return '';
  return (first.port === 6379 ? first.host : `${first.host}:${first.port}`).slice(0, 80);
}
