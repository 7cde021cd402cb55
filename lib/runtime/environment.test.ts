import { expect, it } from 'vitest';
import { config } from '@/lib/runtime/config';
import { hideSecretSettings } from './environment';

/** Hiding cannot be undone in this process, so it is tested with names that nothing else reads here. */
it('secrets leave the environment and are read all the same; the rest stays', () => {
  const secrets = { COLONNADE_OIDC_SECRET_HIDDEN: 'canary-of-oidc', COLONNADE_METRICS_TOKEN: 'canary-of-metrics' };
  const plain = { COLONNADE_KEEP_DAYS: '7', COLONNADE_TOKENS_OF_NOBODY: 'plain' };
  Object.assign(process.env, secrets, plain);
  try {
    hideSecretSettings();
    expect(JSON.stringify(process.env)).not.toContain('canary-of');
    expect(JSON.stringify(process.report.getReport())).not.toContain('canary-of');
    expect(process.env).toMatchObject(plain);
    expect(config.metricsToken?.reveal()).toBe('canary-of-metrics');
    // A value that is set later takes precedence.
    process.env.COLONNADE_METRICS_TOKEN = 'another-metrics-token';
    expect(config.metricsToken?.reveal()).toBe('another-metrics-token');
  } finally {
    for (const name of [...Object.keys(secrets), ...Object.keys(plain)]) delete process.env[name];
  }
});
