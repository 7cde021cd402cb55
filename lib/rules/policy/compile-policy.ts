import type { CustomRule, EffectivePolicy, ProfileBody } from '@/lib/model/rules/policy';
import type { RuleKind, Strength } from '@/lib/model/rules/rules';
import type { Fact, RuleArea } from '@/lib/model/rules/vocabulary';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { getSnapshotAsOf } from '@/lib/model/snapshots/snapshot';
import { type Glob, parseGlob } from '@/lib/model/text/glob';
import { catalogue } from '@/lib/rules/catalogue';
import { customUnknownSql, customViolatedSql, isCustomNameOnly, listCustomFacts } from '@/lib/rules/custom-rule';
import type { Params, RuleEntry, SqlContext } from '@/lib/rules/types';
import { listReplicaNodes } from '@/lib/snapshots/folder/replica-nodes';
import { compileZones, type Zone } from './zones';

/**
 * A rule of a policy that is ready to be evaluated. Each key rule that is on gets one bit of a mask, and the names are
 * split into zones (ranges of the sorted names) in which profile, exemptions by prefix and owner are the same. Bits
 * follow the order of the catalogue and then that of the team's own rules, so the same profile always gives the same
 * masks.
 */
export interface CompiledRule {
  id: string;
  /** Title of a custom rule; null for rules of the catalogue. */
  title: string | null;
  kind: RuleKind;
  area: RuleArea;
  strength: Strength;
  params: Params;
  /** Position in the mask; -1 for rules that are not key rules. */
  bit: number;
  facts: readonly Fact[];
  nameOnly: boolean;
  /** True: the rule may be unknown even if all its facts are known. */
  unknownDespiteFacts: boolean;
  /** null for custom rules. */
  entry: RuleEntry | null;
  /** SQL that is true if a key violates the rule. */
  violated(sql: SqlContext): string;
  /** SQL that is true if the rule cannot be evaluated on a key; null: it always can. */
  unknown(sql: SqlContext): string | null;
}

export interface CompiledProfile {
  id: string;
  name: string;
  delimiter: string;
  body: ProfileBody;
  /** Key rules that are on, by bit. */
  keyRules: CompiledRule[];
  /** Group rules that are on. */
  groupRules: CompiledRule[];
  serverRules: CompiledRule[];
}

export interface CompiledPolicy {
  hash: string;
  policy: EffectivePolicy;
  profiles: CompiledProfile[];
  /**
   * Index into `profiles` of the profile for names outside all prefixes and for everything about the whole instance.
   */
  base: number;
  zones: Zone[];
  /** Exemptions by pattern, each pattern once with all its rules (`*` = every rule). */
  patterns: { rules: string[]; glob: Glob }[];
  asOf: number;
  lazyExpire: boolean | null;
  clustered: boolean;
  /** Indexes of the snapshot's nodes that are replicas. Reads on their master do not change their idle times. */
  replicaNodes: readonly number[];
  /** Commands of the server besides COMMAND_NAMES. */
  moreCommands: readonly string[];
}

/**
 * Number of key rules of one profile that get a bit. A profile may hold no more custom rules than fit next to the
 * catalogue.
 */
const MAX_BITS = 63;

/** Facts of the snapshot that rules need. */
export type PolicyFacts = Pick<CompiledPolicy, 'asOf' | 'lazyExpire' | 'clustered' | 'replicaNodes' | 'moreCommands'>;

export function toPolicyFacts(manifest: SnapshotManifest): PolicyFacts {
  return {
    asOf: getSnapshotAsOf(manifest),
    lazyExpire: manifest.lazyfreeLazyExpire,
    clustered: manifest.nodes?.some((node) => node.slots.length > 0) ?? false,
    replicaNodes: listReplicaNodes(manifest),
    moreCommands: manifest.moreCommands ?? [],
  };
}

export function compilePolicy(policy: EffectivePolicy, facts: PolicyFacts): CompiledPolicy {
  return {
    hash: policy.hash,
    policy,
    profiles: policy.profiles.map(({ id, body }) => compileProfile(id, body)),
    base: policy.base,
    zones: compileZones(policy),
    patterns: groupByPattern(policy.exemptions),
    ...facts,
  };
}

/** Each pattern is matched with every key, so it must not be repeated for each of its rules. */
function groupByPattern(exemptions: EffectivePolicy['exemptions']): CompiledPolicy['patterns'] {
  const rulesByPattern = new Map<string, string[]>();
  for (const { rule, pattern } of exemptions)
    if (pattern !== null) rulesByPattern.set(pattern, [...(rulesByPattern.get(pattern) ?? []), rule]);
  return [...rulesByPattern].map(([pattern, rules]) => ({ rules, glob: parseGlob(pattern) }));
}

/** Indexes of the profiles of a policy, the base profile first. */
export const listBaseFirst = ({ base, profiles }: Pick<CompiledPolicy, 'base' | 'profiles'>): number[] => [
  base,
  ...[...profiles.keys()].filter((index) => index !== base),
];

function compileProfile(id: string, body: ProfileBody): CompiledProfile {
  const on = catalogue.flatMap((entry) => {
    const setting = body.rules[entry.id];
    return setting?.on ? [compileCatalogueRule(entry, setting.strength, setting.params)] : [];
  });
  const custom = body.custom.filter((rule) => rule.on).map(compileCustomRule);
  const keyRules = [...on.filter((rule) => rule.kind === 'key' && rule.entry?.violated), ...custom]
    .slice(0, MAX_BITS)
    .map((rule, bit) => ({ ...rule, bit }));
  return {
    id,
    name: body.name,
    delimiter: body.delimiter,
    body,
    keyRules,
    groupRules: on.filter((rule) => rule.kind === 'group'),
    serverRules: on.filter((rule) => rule.kind === 'server'),
  };
}

function compileCatalogueRule(entry: RuleEntry, strength: Strength, given: Params): CompiledRule {
  const defaults = Object.fromEntries(Object.entries(entry.params).map(([name, spec]) => [name, spec.default]));
  const params = { ...defaults, ...given };
  return {
    id: entry.id,
    title: null,
    kind: entry.kind,
    area: entry.area,
    strength,
    params,
    bit: -1,
    facts: entry.facts,
    nameOnly: entry.nameOnly,
    unknownDespiteFacts: entry.unknownDespiteFacts === true,
    entry,
    violated: (sql) => entry.violated?.(params, sql) ?? 'false',
    unknown: (sql) => (entry.facts.length === 0 ? null : (entry.unknown?.(params, sql) ?? anyUnknownSql(entry.facts))),
  };
}

function compileCustomRule(rule: CustomRule): CompiledRule {
  const facts = listCustomFacts(rule);
  return {
    id: rule.id,
    title: rule.title,
    kind: 'key',
    area: getArea(rule),
    strength: rule.strength,
    params: {},
    bit: -1,
    facts,
    nameOnly: isCustomNameOnly(rule),
    // The idle times of a replica are incomplete, because it does not see the reads of its master.
    unknownDespiteFacts: rule.check === 'threshold' && rule.column === 'idleSeconds',
    entry: null,
    violated: (sql) => customViolatedSql(rule, sql),
    unknown: (sql) => (facts.length === 0 ? null : customUnknownSql(rule, sql)),
  };
}

function getArea(rule: CustomRule): RuleArea {
  if (rule.check !== 'threshold' || rule.column === 'nameBytes' || rule.column === 'segments') return 'names';
  return rule.column === 'ttlSeconds' || rule.column === 'idleSeconds' ? 'expiry' : 'values';
}

/** SQL that is true if a fact is unknown. */
const UNKNOWN: Record<Fact, string> = {
  type: 'type IS NULL',
  ttl: 'NOT expiry_known',
  bytes: 'bytes IS NULL',
  length: 'length IS NULL',
  encoding: 'encoding IS NULL',
  idle: 'idle_seconds IS NULL',
};
/** SQL that is true if every fact of these rules is known. */
export const allKnownSql = (rules: readonly Pick<CompiledRule, 'facts'>[]) =>
  `(${[...new Set(rules.flatMap((rule) => rule.facts))].map((fact) => `NOT (${UNKNOWN[fact]})`).join(' AND ')})`;
const anyUnknownSql = (facts: readonly Fact[]) => `(${facts.map((fact) => UNKNOWN[fact]).join(' OR ')})`;
