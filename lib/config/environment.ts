/**
 * What the settings are read with. Everything is read when asked for, so that a build (which evaluates modules) and
 * tests (which change the environment) see no stale value.
 */
export class ConfigError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable}: ${problem}`);
    this.name = 'ConfigError';
  }
}

export const settingText = (name: string): string | null => {
  const value = process.env[name]?.trim();
  return value ? value : null;
};

export const settingInteger = (name: string, fallback: number, min: number, max: number): number => {
  const value = settingText(name);
  if (value === null) return fallback;
  if (!/^\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max)
    throw new ConfigError(name, `"${value}" is not a whole number from ${min} to ${max}.`);
  return Number(value);
};

export const settingList = (name: string): string[] =>
  (settingText(name) ?? '')
    .split(/[\s,]+/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
