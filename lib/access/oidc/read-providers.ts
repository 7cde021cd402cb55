import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import type { Provider } from '@/lib/model/accounts/oidc';
import { ProvidersFile } from '@/lib/model/accounts/oidc';
import { Secret } from '@/lib/model/secret';
import { strictly } from '@/lib/model/strictly';
import { ConfigError, config } from '@/lib/runtime/config';
import { processWide } from '@/lib/runtime/process-wide';

/**
 * The limit of the settings file, bytes. JSON is read as YAML. Aliases are not allowed, because nothing requires them.
 */
const MAX_BYTES = 256 * 1024;
const kept = () =>
  processWide('oidc-providers', (): { key: string; providers: Provider[] } => ({ key: '', providers: [] }));
const wrong = (problem: string) => new ConfigError('COLONNADE_OIDC', problem);

/**
 * Returns the providers of the settings file, which is read again after a change. Errors never quote its content, which
 * may be a secret. Errors: `ConfigError`, which names the wrong field.
 */
export function readProviders(): Provider[] {
  const file = config.providersFile;
  if (file === null) return [];
  let stat: { mtimeMs: number; size: number };
  try {
    stat = statSync(/* turbopackIgnore: true */ file);
  } catch {
    throw wrong(`there is no file "${file}", or it may not be read.`);
  }
  const key = `${file} ${stat.mtimeMs} ${stat.size}`;
  const cache = kept();
  if (cache.key !== key) Object.assign(cache, { providers: parse(file), key });
  return cache.providers;
}

function parse(file: string): Provider[] {
  const parsed = strictly(ProvidersFile).safeParse(contentOf(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const names = issue?.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : '';
    throw wrong(`${issue?.path.join('.') || 'the file'}: ${issue?.message}${names}`);
  }
  const { providers } = parsed.data;
  const ids = providers.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw wrong(`there are two providers with the id ${twice}.`);
  return providers.map(({ clientSecret, clientSecretFile, ...provider }) => {
    if (clientSecret !== undefined && clientSecretFile !== undefined)
      throw wrong(`${provider.id}: clientSecret and clientSecretFile exclude each other.`);
    const given = clientSecret === undefined ? null : new Secret(clientSecret);
    const fromFile = clientSecretFile === undefined ? null : secretFile(resolve(dirname(file), clientSecretFile));
    return { ...provider, clientSecret: given ?? fromFile ?? config.providerSecret(provider.id) };
  });
}

function contentOf(file: string): unknown {
  try {
    const text = readFileSync(/* turbopackIgnore: true */ file, 'utf8');
    if (text.length > MAX_BYTES) throw wrong(`"${file}" is larger than ${MAX_BYTES / 1024} KiB.`);
    const document = parseDocument(text, { uniqueKeys: true, version: '1.2', schema: 'core' });
    const [error] = document.errors;
    // The message of the parser quotes the line, which may have a secret.
    if (error) throw wrong(`"${file}" is neither YAML nor JSON (${error.code} at sign ${error.pos[0]}).`);
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw wrong(`"${file}" could not be read.`);
  }
}

function secretFile(path: string): Secret {
  try {
    const secret = readFileSync(/* turbopackIgnore: true */ path, 'utf8').trim();
    if (secret !== '') return new Secret(secret);
  } catch {
    // The error is thrown below.
  }
  throw wrong(`the file "${path}" (clientSecretFile) is empty or may not be read.`);
}

/** Returns a provider by its id; null = there is none. */
export const providerOf = (id: string): Provider | null => readProviders().find((one) => one.id === id) ?? null;
