/**
 * Functions that read settings. Every setting is read when it is needed, so that a build (which evaluates modules) and
 * tests (which change the environment) see no stale value.
 */

import { getProcessWide } from '@/lib/runtime/process-wide';

export class ConfigError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable}: ${problem}`);
    this.name = 'ConfigError';
  }
}

/** Settings that are a secret or contain one. */
const SECRETS =
  /^COLONNADE_(KEY|KEY_OLD|DATABASE_URL|S3_ACCESS_KEY|S3_SECRET_KEY|PASSWORD|SENTINEL_PASSWORD|METRICS_TOKEN|TOKEN|NOTIFY_PROXY|OIDC_SECRET_.+)$/;
/** The secrets that were removed from the environment, by name. */
const getHiddenSettings = () => getProcessWide('hidden-settings', () => new Map<string, string>());

/**
 * Removes the secrets from the environment of this process for as long as it runs: a diagnostic report that Node writes
 * at a crash contains the whole environment, and a library may print it.
 */
export function hideSecretSettings(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (value === undefined || !SECRETS.test(name)) continue;
    getHiddenSettings().set(name, value);
    delete process.env[name];
  }
}

/** Returns the value of a setting; null if it is missing or empty. */
export const readSettingText = (name: string): string | null =>
  (process.env[name] ?? getHiddenSettings().get(name))?.trim() || null;

export const readSettingInteger = (name: string, fallback: number, min: number, max: number): number => {
  const value = readSettingText(name);
  if (value === null) return fallback;
  if (!/^\d{1,15}$/.test(value) || Number(value) < min || Number(value) > max)
    throw new ConfigError(name, `"${value}" is not a whole number from ${min} to ${max}.`);
  return Number(value);
};

/** Returns the items of a list that is separated by commas or spaces. */
export const readSettingList = (name: string): string[] =>
  (readSettingText(name) ?? '').split(/[\s,]+/).filter((item) => item !== '');
