import { z } from 'zod';
import { type Fact, type RuleArea, STRENGTHS, type StandardId } from './vocabulary';

/**
 * The vocabulary of the written standards. What a rule says stands in lib/rules; these are the shapes in which it is
 * shown on pages, in files and the command line.
 */
/** How a source puts it: 强制 · 推荐 · 建议 · 慎用 · stated without a strength. */
export type SourceStrength = 'mandatory' | 'recommended' | 'advice' | 'caution' | 'unstated';

export const Strength = z.enum(STRENGTHS);
export type Strength = z.infer<typeof Strength>;

/**
 * key: a predicate over the columns of one key · group: a question about a prefix, tag or minute · server: from INFO,
 * CONFIG, commandstats, SLOWLOG, ACL, LATENCY · application: only people can tell, kept as a checklist · reference: a
 * fact or a reason that is shown and never violated.
 */
export type RuleKind = 'key' | 'group' | 'server' | 'application' | 'reference';
export interface RuleText {
  title: string;
  /** Why it matters, two sentences at most. */
  why: string;
  /** What to do. */
  fix: string;
}

export interface ParamSpec {
  kind: 'number' | 'text' | 'list';
  default: number | string | readonly string[];
  min?: number;
  max?: number;
  /** Of numbers: what is counted has no decimals. */
  whole?: boolean;
  /** Of lists: the only words there are. */
  among?: readonly string[];
  /** Of numbers: `bytes`, `elements`, `seconds`, `days`, `keys`, `segments`, `share` (0…1), `times`, `count`. */
  unit?: string;
  /** Whose number it is: one of the standards says it, or it is ours because none does. */
  origin: 'standard' | 'ours';
  label: { en: string; 'zh-CN': string };
}

/** A rule as the API tells it (GET /api/rules). */
export interface RuleInfo {
  id: string;
  area: RuleArea;
  kind: RuleKind;
  /** Only the name is looked at: `colonnade lint` can check it. */
  nameOnly: boolean;
  facts: readonly Fact[];
  sources: readonly { standard: StandardId; strength: SourceStrength; note?: { en: string; 'zh-CN': string } }[];
  params: Readonly<Record<string, ParamSpec>>;
  text: { en: RuleText; 'zh-CN': RuleText };
  /** How the system behind it works: paragraphs. */
  background?: { en: readonly string[]; 'zh-CN': readonly string[] };
  /** Code to copy, a language each. */
  snippets?: readonly { language: string; code: string }[];
  /** Rules it cannot be kept together with (`N8` and `N14`). */
  contradicts: readonly string[];
}

/** A point on which the standards disagree, for the profile editor. */
export interface Contradiction {
  id: string;
  rules: readonly string[];
  text: { en: { title: string; explanation: string }; 'zh-CN': { title: string; explanation: string } };
  /** What each standard says, short; absent: it is silent. */
  says: Partial<Record<StandardId, { en: string; 'zh-CN': string }>>;
  /** What the default profile does and why. */
  ours: { en: string; 'zh-CN': string };
}

export interface StandardInfo {
  id: StandardId;
  /** As published. */
  title: string;
  year: number | null;
}

export interface Catalogue {
  rules: RuleInfo[];
  standards: StandardInfo[];
  contradictions: Contradiction[];
}
