/**
 * The shapes in which rules of the written standards are shown on pages, in files and on the command line. The rules
 * themselves are in lib/rules.
 */

import { z } from 'zod';
import { type Fact, type RuleArea, STRENGTHS, type StandardId } from './vocabulary';

/** The strength in a source: 强制 · 推荐 · 建议 · 慎用 · 不建议 · stated without a strength. */
export type SourceStrength = 'mandatory' | 'recommended' | 'advice' | 'caution' | 'discouraged' | 'unstated';

export const Strength = z.enum(STRENGTHS);
export type Strength = z.infer<typeof Strength>;

/**
 * key: a predicate over the columns of one key · group: a check of a prefix, tag or minute · server: from INFO, CONFIG,
 * commandstats, SLOWLOG, ACL, LATENCY · application: only people can check it, as a checklist · reference: a fact or a
 * reason that is shown and never violated.
 */
export type RuleKind = 'key' | 'group' | 'server' | 'application' | 'reference';
export interface RuleText {
  title: string;
  /** Why it matters, two sentences at most. */
  why: string;
  /** Says what to do. */
  fix: string;
}

export interface ParamSpec {
  kind: 'number' | 'text' | 'list';
  default: number | string | readonly string[];
  min?: number;
  max?: number;
  /** If true, only whole numbers are allowed. */
  whole?: boolean;
  /** If given, a list may contain only these words. */
  among?: readonly string[];
  /**
   * The unit of a number is one of `bytes`, `elements`, `seconds`, `days`, `keys`, `segments`, `share` (0…1), `times`,
   * `count`.
   */
  unit?: string;
  /** Where the default comes from: one of the standards, or Colonnade, because no standard gives one. */
  origin: 'standard' | 'ours';
  label: { en: string; 'zh-CN': string };
}

/** A rule as the API returns it (GET /api/rules). */
export interface RuleInfo {
  id: string;
  area: RuleArea;
  kind: RuleKind;
  /** The rule needs only the name of a key, so `colonnade lint` can check it. */
  nameOnly: boolean;
  facts: readonly Fact[];
  sources: readonly { standard: StandardId; strength: SourceStrength; note?: { en: string; 'zh-CN': string } }[];
  params: Readonly<Record<string, ParamSpec>>;
  text: { en: RuleText; 'zh-CN': RuleText };
  /** How the underlying system works, as paragraphs. */
  background?: { en: readonly string[]; 'zh-CN': readonly string[] };
  /** Code to copy, one per language. */
  snippets?: readonly { language: string; code: string }[];
  /** Rules that cannot be followed together with this one (`N8` and `N14`). */
  contradicts: readonly string[];
}

/** A point on which the standards disagree, for the profile editor. */
export interface Contradiction {
  id: string;
  rules: readonly string[];
  text: { en: { title: string; explanation: string }; 'zh-CN': { title: string; explanation: string } };
  /** Quotes each standard in short; a standard that is absent says nothing about it. */
  says: Partial<Record<StandardId, { en: string; 'zh-CN': string }>>;
  /** Says what the default profile does and why. */
  ours: { en: string; 'zh-CN': string };
}

export interface StandardInfo {
  id: StandardId;
  /** The title as published. */
  title: string;
  year: number | null;
}

export interface Catalogue {
  rules: RuleInfo[];
  standards: StandardInfo[];
  contradictions: Contradiction[];
}
