import type { ParamSpec, RuleText, SourceStrength } from '@/lib/model/rules/rules';
import type { StandardId } from '@/lib/model/rules/vocabulary';

/** Parses the short form of `sources` in the catalogue: "S1 mandatory" becomes a standard and a strength. */
export function parseSources(...sources: `${StandardId} ${SourceStrength}`[]) {
  return sources.map((source) => {
    const [standard, strength] = source.split(' ') as [StandardId, SourceStrength];
    return { standard, strength };
  });
}

/** One source that needs a note in both languages. */
export function parseNotedSource(source: `${StandardId} ${SourceStrength}`, en: string, zh: string) {
  return { ...parseSources(source)[0]!, note: { en, 'zh-CN': zh } };
}

type Words = readonly [title: string, why: string, fix: string];
const toRuleText = ([title, why, fix]: Words): RuleText => ({ title, why, fix });

export const toRuleTexts = (en: Words, zh: Words) => ({ en: toRuleText(en), 'zh-CN': toRuleText(zh) });

/**
 * The largest number that a parameter may have: larger than any count, and as a number of seconds or days still within
 * what the database accepts.
 */
const MAX = 1e12;

/** Units that are counted one by one, so that only whole numbers make sense. */
const COUNTED = ['bytes', 'elements', 'keys', 'segments', 'count', 'yesNo'];

export function numberParam(
  value: number,
  unit: string,
  origin: ParamSpec['origin'],
  en: string,
  zh: string,
  range: { min?: number; max?: number; whole?: boolean } = {},
): ParamSpec {
  const whole = COUNTED.includes(unit);
  return {
    kind: 'number',
    default: value,
    unit,
    origin,
    label: { en, 'zh-CN': zh },
    min: 0,
    max: MAX,
    whole,
    ...range,
  };
}

/** A parameter that is yes or no, written as 1 or 0. */
export const flagParam = (value: 0 | 1, en: string, zh: string): ParamSpec =>
  numberParam(value, 'yesNo', 'ours', en, zh, { min: 0, max: 1 });

export const wordsParam = (
  values: readonly string[],
  origin: ParamSpec['origin'],
  en: string,
  zh: string,
): ParamSpec => ({
  kind: 'list',
  default: values,
  origin,
  label: { en, 'zh-CN': zh },
});
