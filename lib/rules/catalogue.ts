import { commandRules } from './catalogue/commands';
import { expiryRules } from './catalogue/expiry';
import { characterRules } from './catalogue/names-characters';
import { nameGroupRules } from './catalogue/names-groups';
import { lengthRules } from './catalogue/names-length';
import { structureRules } from './catalogue/names-structure';
import { practiceRules } from './catalogue/practices';
import { serverRules } from './catalogue/servers';
import { trafficRules } from './catalogue/traffic';
import { valueRules } from './catalogue/values';
import { otherValueRules } from './catalogue/values-other';
import { valueReasons } from './catalogue/values-reasons';
import { sizeRules } from './catalogue/values-sizes';
import type { RuleEntry } from './types';

/** Sorted by area (N, V, T, C) and number. Lists use this order, and so do the bits in a mask of key rules. */
export const catalogue: readonly RuleEntry[] = [
  ...structureRules,
  ...characterRules,
  ...lengthRules,
  ...nameGroupRules,
  ...sizeRules,
  ...valueRules,
  ...otherValueRules,
  ...valueReasons,
  ...expiryRules,
  ...commandRules,
  ...serverRules,
  ...practiceRules,
  ...trafficRules,
].sort((a, b) => 'NVTC'.indexOf(a.id[0]!) - 'NVTC'.indexOf(b.id[0]!) || Number(a.id.slice(1)) - Number(b.id.slice(1)));

/**
 * Raise it when a rule reaches other verdicts or names fold in another way: stored findings are then computed again.
 */
export const RULES_VERSION = 21;

export const ruleById: ReadonlyMap<string, RuleEntry> = new Map(catalogue.map((rule) => [rule.id, rule]));

/** Title for files, which have one language; '' if the rule is not in the catalogue. */
export const getEnglishTitle = (rule: string): string => ruleById.get(rule)?.text.en.title ?? '';
