import { replaceHalfCharacters } from '@/lib/model/replace-half-characters';
import { Instance, InstanceSettings } from '@/lib/model/servers/instance';

/** Number of cached settings; more than a company has instances. Each takes a few KiB. */
const MAX_CACHED = 5_000;

const byText = new Map<string, InstanceSettings>();
/** Settings that were parsed from a text, so they have no unknown fields. */
const parsed = new WeakSet<object>();

/**
 * Parses the settings of an instance. Every page reads the same text, and parsing costs more than the query, so the
 * result is cached and frozen.
 */
export function parseSettings(name: string, text: string): InstanceSettings {
  const key = `${name}\n${text}`;
  const known = byText.get(key);
  if (known) return known;
  // A text with half a character must not make all instances unreadable.
  const settings = makeReadOnly(InstanceSettings.parse({ ...JSON.parse(replaceHalfCharacters(text)), name }));
  if (byText.size >= MAX_CACHED) byText.clear();
  byText.set(key, settings);
  parsed.add(settings);
  return settings;
}

type StoredFields = Omit<Instance, keyof InstanceSettings>;

/** An instance as pages may see it. Settings that were not parsed here are parsed now, which drops unknown fields. */
export const buildInstance = (settings: InstanceSettings, stored: StoredFields): Instance =>
  parsed.has(settings) ? { ...settings, ...stored } : Instance.parse({ ...settings, ...stored });

function makeReadOnly<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) makeReadOnly(part);
  return Object.freeze(value);
}
