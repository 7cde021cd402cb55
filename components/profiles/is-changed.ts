import type { RuleSetting } from '@/lib/model/rules/policy';

/** Whether a setting differs from the default profile; the order of parameters does not matter. */
export function isChanged(setting: RuleSetting, base: RuleSetting): boolean {
  if (setting.on !== base.on) return true;
  if (!setting.on) return false;
  return setting.strength !== base.strength || params(setting) !== params(base);
}

const params = (setting: RuleSetting) =>
  JSON.stringify(Object.entries(setting.params).sort(([a], [b]) => (a < b ? -1 : 1)));
