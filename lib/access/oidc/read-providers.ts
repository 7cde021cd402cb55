import { readFileSync, statSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { type Provider, ProvidersFile } from '@/lib/model/accounts/oidc';
import { closeSchema } from '@/lib/model/close-schema';
import { ConfigError, config } from '@/lib/runtime/config';

/** The limit of the settings file. */
const MAX_BYTES = 256 * 1024;
/** The providers that were read last. `key`: path, time and size of the file. */
let known: { key: string; providers: Provider[] } = { key: '', providers: [] };
const createConfigError = (problem: string) => new ConfigError('COLONNADE_OIDC', problem);

/**
 * Returns the providers of the settings file, which is read again after a change. Errors never quote its content, because
 * somebody may have put a secret there. Errors: `ConfigError`, which names the wrong field.
 */
export function readProviders(): Provider[] {
  const file = config.providersFile;
  if (file === null) return [];
  let stat: { mtimeMs: number; size: number };
  try {
    stat = statSync(/* turbopackIgnore: true */ file);
  } catch {
    throw createConfigError(`there is no file "${file}", or it may not be read.`);
  }
  const key = `${file} ${stat.mtimeMs} ${stat.size}`;
  if (known.key !== key) known = { key, providers: parse(file) };
  return known.providers;
}

function parse(file: string): Provider[] {
  const parsed = closeSchema(ProvidersFile).safeParse(parseFile(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const names = issue?.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : '';
    throw createConfigError(`${issue?.path.join('.') || 'the file'}: ${issue?.message}${names}`);
  }
  const { providers } = parsed.data;
  const ids = providers.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw createConfigError(`there are two providers with the id ${twice}.`);
  return providers.map((provider) => ({ ...provider, clientSecret: config.providerSecret(provider.id) }));
}

/** Parses a file as YAML, which includes JSON. Aliases are not allowed, because nothing requires them. */
function parseFile(file: string): unknown {
  try {
    const text = readFileSync(/* turbopackIgnore: true */ file, 'utf8');
    if (text.length > MAX_BYTES) throw createConfigError(`"${file}" is larger than ${MAX_BYTES / 1024} KiB.`);
    const document = parseDocument(text, { uniqueKeys: true, version: '1.2', schema: 'core' });
    const [error] = document.errors;
    // The message of the parser quotes the line, which may have a secret.
    if (error) throw createConfigError(`"${file}" is neither YAML nor JSON (${error.code} at sign ${error.pos[0]}).`);
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw createConfigError(`"${file}" could not be read.`);
  }
}

/** Returns a provider by its id; null = there is none. */
export const findProvider = (id: string): Provider | null => readProviders().find((one) => one.id === id) ?? null;
