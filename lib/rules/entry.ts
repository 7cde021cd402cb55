import type { ParamSpec, RuleText, SourceStrength, Strength } from '@/lib/model/rules/rules';
import type { StandardId } from '@/lib/model/rules/vocabulary';

/** Fields that most rules of an area share. A rule that differs sets its own value after the spread. */
const usual = { nameOnly: false, facts: [], params: {}, contradicts: [] } as const;
/** Rules about the name of a single key. Rules about groups of names set `kind` and `nameOnly`. */
export const nameRule = { ...usual, area: 'names', kind: 'key', nameOnly: true } as const;
export const valueRule = { ...usual, area: 'values' } as const;
export const expiryRule = { ...usual, area: 'expiry' } as const;
export const commandRule = { ...usual, area: 'commands' } as const;
export const serverRule = { ...commandRule, kind: 'server' } as const;

export const onWithStrength = (strength: Strength) => ({ on: true, strength });

/** Parses the short form of `sources` in the catalogue: "S1 mandatory" becomes a standard and a strength. */
export function parseSources(...sources: `${StandardId} ${SourceStrength}`[]) {
  return sources.map((source) => {
    const [standard, strength] = source.split(' ') as [StandardId, SourceStrength];
    return { standard, strength };
  });
}

/** A source with a note in both languages that says how its text differs from the rule. */
export function parseNotedSource(source: `${StandardId} ${SourceStrength}`, en: string, zh: string) {
  return { ...parseSources(source)[0]!, note: { en, 'zh-CN': zh } };
}

/** `why` says what goes wrong otherwise, `fix` what to do. */
type Words = readonly [title: string, why: string, fix: string];
const toRuleText = ([title, why, fix]: Words): RuleText => ({ title, why, fix });

export const toRuleTexts = (en: Words, zh: Words) => ({ en: toRuleText(en), 'zh-CN': toRuleText(zh) });

/**
 * The largest number that a parameter may have: larger than any count, and as a number of seconds or days still within
 * what the database accepts.
 */
const MAX_VALUE = 1e12;

/** Units that are counted one by one, so that only whole numbers make sense. */
const COUNTED = ['bytes', 'elements', 'keys', 'segments', 'count', 'yesNo'];

/** `value` is the default. `range` limits what a profile may set: by default any number from 0 to MAX_VALUE. */
export function numberParam(
  value: number,
  unit: string,
  origin: ParamSpec['origin'],
  en: string,
  zh: string,
  range: { min?: number; max?: number; whole?: boolean } = {},
): ParamSpec {
  const limits = { min: 0, max: MAX_VALUE, whole: COUNTED.includes(unit), ...range };
  return { kind: 'number', default: value, unit, origin, label: { en, 'zh-CN': zh }, ...limits };
}

/** A parameter that is yes or no, written as 1 or 0. */
export const flagParam = (value: 0 | 1, en: string, zh: string): ParamSpec =>
  numberParam(value, 'yesNo', 'ours', en, zh, { min: 0, max: 1 });

export const wordsParam = (
  values: readonly string[],
  origin: ParamSpec['origin'],
  en: string,
  zh: string,
): ParamSpec => ({ kind: 'list', default: values, origin, label: { en, 'zh-CN': zh } });
