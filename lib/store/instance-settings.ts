import { Instance, InstanceSettings } from '@/lib/model/servers/instance';
import { wholeCharacters } from '@/lib/model/whole-characters';
import { processWide } from '@/lib/process-wide';

/** More than a company has instances; each takes a few KiB. */
const MAX = 5_000;

interface Known {
  byText: Map<string, InstanceSettings>;
  /** Which settings came out of a text, so that nothing lies in them which does not belong. */
  parsed: WeakSet<object>;
}
const shared = () => processWide('instance-settings', (): Known => ({ byText: new Map(), parsed: new WeakSet() }));

/**
 * The settings that a text of the table says. The same text is read for every page of everybody, and reading it costs
 * more than asking for it; so what it says is kept, and nobody may change it.
 */
export function parsedSettings(name: string, text: string): InstanceSettings {
  const { byText, parsed } = shared();
  const key = `${name}\n${text}`;
  const known = byText.get(key);
  if (known) return known;
  // Halves of characters were once taken; what is refused now must not hide every instance.
  const settings = readOnly(InstanceSettings.parse({ ...JSON.parse(wholeCharacters(text)), name }));
  if (byText.size >= MAX) byText.clear();
  byText.set(key, settings);
  parsed.add(settings);
  return settings;
}

type Beside = Omit<Instance, keyof InstanceSettings>;

/** What a page may see of an instance: parsing drops whatever does not belong, where that was not done before. */
export const instanceOf = (settings: InstanceSettings, beside: Beside): Instance =>
  shared().parsed.has(settings) ? { ...settings, ...beside } : Instance.parse({ ...settings, ...beside });

function readOnly<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) readOnly(part);
  return Object.freeze(value);
}
