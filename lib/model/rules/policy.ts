/**
 * The policy of an instance: a profile (rules on or off, strength, thresholds, custom rules), other profiles for some
 * prefixes, exemptions, and the owners of prefixes. Prefixes are in the display form of names and match literally.
 */

import { z } from 'zod';
import { RuleName } from '../filter';
import { refuseBadGlob } from '../text/glob';
import { refuseUnseen } from '../text/refuse-unseen';
import { Strength } from './rules';

export const PROFILE_SCHEMA = 1;

const text = (max: number) => z.string().trim().max(max);
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const prefix = z.string().max(1024);

export const RuleSetting = z.object({
  on: z.boolean(),
  strength: Strength,
  /** Values by name of the parameter; an absent one has the default of the catalogue. */
  params: z
    .record(
      z.string(),
      z.union([z.number().finite(), z.string().max(512), z.array(z.string().max(128)).max(500)], {
        error:
          'a number, a text of at most 512 characters, or a list of at most 500 words of 128 characters is expected.',
      }),
    )
    .default({}),
});
export type RuleSetting = z.infer<typeof RuleSetting>;

/** A custom key rule of the team. Its `id` begins with `X-`. */
const customBase = {
  id: z.string().regex(/^X-[A-Za-z0-9-]{1,32}$/),
  title: text(120).min(1).superRefine(refuseUnseen),
  why: text(500).default(''),
  fix: text(500).default(''),
  strength: Strength,
  on: z.boolean().default(true),
  /** The rule applies only to keys that begin with this; '' = all. */
  prefix: prefix.default(''),
};
export const CustomRule = z.discriminatedUnion('check', [
  /**
   * RE2 syntax: linear time, no back-references or look-around. `must` says whether a name has to match; the pattern
   * itself decides whether it matches the whole name or a part.
   */
  z.object({
    ...customBase,
    check: z.literal('regex'),
    pattern: z.string().min(1).max(1000),
    must: z.enum(['match', 'notMatch']),
  }),
  /** `{module}:{entity}:{id}:{type}`: names must have this form (lib/rules/template.ts defines the grammar). */
  z.object({ ...customBase, check: z.literal('template'), template: z.string().min(1).max(500) }),
  /** A column must not exceed (or not fall below) a number. */
  z.object({
    ...customBase,
    check: z.literal('threshold'),
    column: z.enum(['nameBytes', 'bytes', 'length', 'ttlSeconds', 'idleSeconds', 'segments']),
    types: z.array(z.string().max(64)).max(16).default([]),
    atMost: z.number().finite().nullable().default(null),
    atLeast: z.number().finite().nullable().default(null),
  }),
]);
export type CustomRule = z.infer<typeof CustomRule>;
/** Limited because each key rule, of the catalogue or custom, takes one bit. */
const MAX_CUSTOM_RULES = 20;

export const ProfileBody = z.object({
  schema: z.literal(PROFILE_SCHEMA),
  name: text(80).min(1).superRefine(refuseUnseen),
  description: text(1000).default(''),
  /** One or more characters that separate the segments of a name. */
  delimiter: z.string().min(1).max(4).default(':'),
  rules: z.record(z.string(), RuleSetting),
  custom: z.array(CustomRule).max(MAX_CUSTOM_RULES).default([]),
});
export type ProfileBody = z.infer<typeof ProfileBody>;

/** Presets have the ids `default`, `S0` … `S4` and cannot be changed, only copied. */
export interface Profile {
  id: string;
  preset: boolean;
  body: ProfileBody;
  /** Instances that are checked against it, with their names. */
  usedBy: { id: string; name: string }[];
  updatedAt: number | null;
}

/**
 * `updatedAt` is that of the profile that was edited; if the profile has changed since, the change is refused
 * (`conflict`). Absent = it is replaced anyway.
 */
export const ProfileInput = z.object({ body: ProfileBody, updatedAt: z.number().int().nullish() });

export const Assignment = z.object({
  profileId: id,
  /** The longest matching prefix applies. */
  prefixes: z
    .array(z.object({ prefix: prefix.min(1), profileId: id }))
    .max(100)
    .default([]),
});
export type Assignment = z.infer<typeof Assignment>;
/**
 * Body of PUT /api/instances/:id/policy. `updatedAt` is that of the assignment that was edited, null if there was none;
 * if the assignment has changed since, the change is refused (`conflict`). Absent = it is replaced anyway.
 */
export const AssignmentInput = Assignment.extend({ updatedAt: z.number().int().nullable().optional() });
export const NO_ASSIGNMENT: Assignment = { profileId: 'default', prefixes: [] };

/** The most rules, prefixes and patterns of one exemption. */
const MAX_OF_EXEMPTION = 100;

/** Accepts findings of some rules for a period, on keys with one of the prefixes or matching one of the patterns. */
export const ExemptionInput = z
  .object({
    /** null = every instance. */
    instanceId: id.nullable(),
    /** Ids of rules, or `*` for all of them. */
    rules: z.union([z.literal('*'), z.array(RuleName).min(1).max(MAX_OF_EXEMPTION)]),
    /** The empty prefix means every key. */
    prefixes: z.array(prefix).max(MAX_OF_EXEMPTION).default([]),
    /** Globs of whole names (lib/model/text/glob.ts). */
    patterns: z.array(z.string().min(1).max(1024).superRefine(refuseBadGlob)).max(MAX_OF_EXEMPTION).default([]),
    owner: text(80).min(1).superRefine(refuseUnseen),
    reason: text(500).min(1),
    /** When the exemption ends, epoch ms; null = until it is removed. */
    expiresAt: z.number().int().positive().nullable(),
  })
  .refine((e) => e.prefixes.length + e.patterns.length > 0, 'Give at least one prefix or pattern.');
export type ExemptionInput = z.infer<typeof ExemptionInput>;
export interface Exemption extends ExemptionInput {
  id: string;
  createdAt: number;
  createdBy: string;
}

/** The owner of a prefix; it applies to everything below, and the longest matching prefix applies. */
export const OwnerInput = z.object({
  instanceId: id.nullable(),
  prefix: prefix.min(1),
  /** `-` is not a team: filters use it for keys without an owner. */
  team: text(80)
    .min(1)
    .superRefine(refuseUnseen)
    .refine((team) => team !== '-', 'A team cannot be named "-", which means no team. Enter its name.'),
});
export type OwnerInput = z.infer<typeof OwnerInput>;
export interface PrefixOwner extends OwnerInput {
  id: string;
}

/** A checklist answer of people to an application rule (kind `application`) for one instance. */
export const ChecklistInput = z.object({
  rule: z.string().regex(/^[A-Z][0-9]{1,2}$/),
  state: z.enum(['open', 'done', 'notApplicable']),
  owner: text(80).superRefine(refuseUnseen).default(''),
  /** When it was (or will be) done, epoch ms. */
  date: z.number().int().positive().nullable().default(null),
  note: text(1000).default(''),
});
export type ChecklistInput = z.infer<typeof ChecklistInput>;
export interface ChecklistItem extends ChecklistInput {
  instanceId: string;
  updatedAt: number;
  updatedBy: string;
}

/**
 * Everything that decides findings, resolved and self-contained. The same policy has the same hash, and the same
 * snapshot with the same policy always gives the same findings.
 */
export interface EffectivePolicy {
  /** SHA-256 of the other fields, 16 hex digits. */
  hash: string;
  profiles: { id: string; body: ProfileBody }[];
  /** Index into `profiles` for names outside all prefixes below. */
  base: number;
  prefixes: { prefix: string; profile: number }[];
  /** Exemptions that are in force, one entry for each rule and each prefix or pattern; `*` = every rule. */
  exemptions: { rule: string; prefix: string | null; pattern: string | null }[];
  owners: { prefix: string; team: string }[];
}
