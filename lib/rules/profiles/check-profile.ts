import { KEY_TYPES } from '@/lib/model/keys/key-types';
import { DELIMITER, NO_DELIMITER } from '@/lib/model/names/delimiter';
import { listClashes } from '@/lib/model/rules/list-clashes';
import { type CustomRule, PROFILE_SCHEMA, ProfileBody } from '@/lib/model/rules/policy';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { append } from '@/lib/model/text/append';
import { ruleById } from '@/lib/rules/catalogue';

import { parseTemplate } from '@/lib/rules/template';

const TYPES: readonly string[] = KEY_TYPES;

/** The database cannot count much further than this. */
const MAX_THRESHOLD = 1e15;

/** Parameters that rules no longer have: profiles that contain them stay valid. */
const RETIRED: Readonly<Record<string, readonly string[]>> = { V10: ['bytes', 'elements'] };

/**
 * `errors` are reasons to refuse a profile, `warnings` point out what is probably unintended. Each text begins with its
 * path.
 */
interface ProfileProblems {
  errors: string[];
  warnings: string[];
}

export function checkProfile(body: ProfileBody): ProfileProblems {
  const errors: string[] = [];
  const warnings: string[] = [];
  for (const [id, setting] of Object.entries(body.rules)) {
    const rule = ruleById.get(id);
    if (!rule) {
      errors.push(`rules.${id}: there is no such rule. colonnade rules lists all.`);
      continue;
    }
    for (const [name, value] of Object.entries(setting.params)) {
      if (RETIRED[id]?.includes(name)) {
        warnings.push(`rules.${id}.params.${name}: no longer asked; a bigkey is what V1, V3 and V2 say.`);
        continue;
      }
      const problem = findParamProblem(rule, name, value);
      if (problem) errors.push(`rules.${id}.params.${name}: ${problem}`);
    }
    const bound = (name: string) => Number(setting.params[name] ?? rule.params[name]?.default);
    if (bound('atLeast') > bound('atMost'))
      errors.push(`rules.${id}.params.atLeast: it is larger than atMost, so that every key would violate the rule.`);
    for (const other of listClashes(rule, body, ruleById))
      if (other > id) warnings.push(`${id} and ${other} require different things; enable one or the other.`);
  }
  if (!DELIMITER.test(body.delimiter)) errors.push(`delimiter: ${NO_DELIMITER}`);
  const ids = new Set<string>();
  body.custom.forEach((rule, i) => {
    if (ids.has(rule.id)) errors.push(`custom.${i}.id: ${rule.id} is there twice.`);
    ids.add(rule.id);
    append(
      errors,
      findCustomProblems(rule, body.delimiter).map((problem) => `custom.${i}.${problem}`),
    );
    const otherTypes = rule.check === 'threshold' ? rule.types.filter((type) => !TYPES.includes(type)) : [];
    for (const type of otherTypes)
      warnings.push(
        `custom.${i}.types: ${type} is none of ${TYPES.join(', ')}; only keys of a module's type of that name are checked.`,
      );
  });
  return { errors, warnings };
}

function findParamProblem(rule: RuleInfo, name: string, value: number | string | string[]): string | null {
  const spec = Object.hasOwn(rule.params, name) ? rule.params[name] : undefined;
  if (!spec) {
    const known = Object.keys(rule.params);
    return known.length === 0 ? 'this rule has no numbers.' : `there is no such number; it has ${known.join(', ')}.`;
  }
  if (spec.kind === 'number') {
    if (typeof value !== 'number') return 'a number is expected.';
    if (spec.whole && !Number.isInteger(value)) return `a whole number is expected, not ${value}.`;
    if (spec.min !== undefined && value < spec.min) return `at least ${spec.min} is expected.`;
    if (spec.max !== undefined && value > spec.max) return `at most ${spec.max} is expected.`;
  }
  if (spec.kind === 'list' && !Array.isArray(value)) return 'a list of words is expected.';
  const refused = Array.isArray(value) ? value.find((word) => spec.among?.includes(word) === false) : undefined;
  if (refused !== undefined) return `${refused} is not one of ${spec.among?.join(', ')}.`;
  // A rule that looks for nothing would be passed by every key.
  if (spec.among && Array.isArray(value) && value.length === 0)
    return `at least one of ${spec.among.join(', ')} is expected; or turn the rule off.`;
  if (rule.id === 'N20' && Array.isArray(value) && value.some((word) => word.includes(':')))
    return 'a reserved word is a whole name, without a colon.';
  if (spec.kind === 'text' && typeof value !== 'string') return 'a text is expected.';
  return null;
}

function findCustomProblems(rule: CustomRule, delimiter: string): string[] {
  if (rule.check === 'template') {
    try {
      parseTemplate(rule.template, delimiter);
      return [];
    } catch (error) {
      return [`template: ${(error as Error).message}`];
    }
  }
  if (rule.check !== 'threshold') return [];
  const { atMost, atLeast } = rule;
  if (atMost === null && atLeast === null) return ['atMost: give a number for atMost or atLeast.'];
  if (atMost !== null && atLeast !== null && atLeast > atMost)
    return ['atLeast: it is larger than atMost, so that every key would violate the rule.'];
  return Object.entries({ atMost, atLeast }).flatMap(([field, value]) =>
    value !== null && Math.abs(value) > MAX_THRESHOLD
      ? [`${field}: a number between -${MAX_THRESHOLD} and ${MAX_THRESHOLD} is expected.`]
      : [],
  );
}

/** Checks fields and shapes and returns the problems as sentences. Call checkProfile after this for the meaning. */
export function checkFields(value: unknown): { body: ProfileBody } | { errors: string[] } {
  const schema = typeof value === 'object' && value !== null ? (value as { schema?: unknown }).schema : undefined;
  if (schema !== PROFILE_SCHEMA) {
    if (typeof schema === 'number' && schema > PROFILE_SCHEMA)
      return {
        errors: [
          `schema: ${schema} was written by a newer version. Update Colonnade, or export it as ${PROFILE_SCHEMA}.`,
        ],
      };
    return {
      errors: [
        `schema: ${schema === undefined ? 'it is missing' : `${JSON.stringify(schema)} is not known`}; write "schema: ${PROFILE_SCHEMA}" and compare the rest with colonnade rules --profile default.`,
      ],
    };
  }
  const parsed = ProfileBody.safeParse(value);
  if (parsed.success) return { body: parsed.data };
  return {
    errors: parsed.error.issues.slice(0, 30).map((issue) => `${issue.path.join('.') || 'profile'}: ${issue.message}`),
  };
}
