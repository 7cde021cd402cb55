import { CustomRule, PROFILE_SCHEMA, ProfileBody, RuleSetting } from '@/lib/model/rules/policy';
import { append } from '@/lib/model/text/append';

/**
 * Reports fields of a profile that nothing reads. Without this a typing error (`rulez:`) would silently turn something
 * off. Shapes are checked in check-profile.ts. Profiles of another schema version are not checked here.
 */
export function findUnknownFields(value: unknown): string[] {
  if (!isMap(value) || value.schema !== PROFILE_SCHEMA) return [];
  const problems = findUnknownNames(value, ProfileBody.shape, '');
  if (isMap(value.rules)) {
    append(problems, findProtoField(value.rules, 'rules.'));
    for (const [id, setting] of Object.entries(value.rules)) {
      if (!isMap(setting)) continue;
      append(problems, findUnknownNames(setting, RuleSetting.shape, `rules.${id}.`));
      if (isMap(setting.params)) append(problems, findProtoField(setting.params, `rules.${id}.params.`));
    }
  }
  if (Array.isArray(value.custom)) {
    value.custom.forEach((rule, i) => {
      const shape = isMap(rule)
        ? CustomRule.options.find((one) => one.shape.check.value === rule.check)?.shape
        : undefined;
      if (shape) append(problems, findUnknownNames(rule, shape, `custom.${i}.`));
    });
  }
  return problems;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Zod skips `__proto__` in records, where any name is allowed, so it is reported here. */
const findProtoField = (given: object, path: string) =>
  Object.hasOwn(given, '__proto__') ? [`${path}__proto__: there is nothing of that name.`] : [];

const findUnknownNames = (given: object, shape: object, path: string) =>
  Object.keys(given)
    .filter((field) => !Object.hasOwn(shape, field))
    .map((field) => `${path}${field}: there is no such field here. Known are ${Object.keys(shape).join(', ')}.`);
