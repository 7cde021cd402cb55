/** Words that pages use too; they do not load the schemas. */

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * What a rule is about. `threshold`, `newRule`, `newBigkey`, `stormAhead` and `partial` are judged when a snapshot was
 * evaluated, `scanFailed` when a scan ended, the others by the clock.
 */
export const ALERT_KINDS = [
  'threshold',
  'newRule',
  'newBigkey',
  'stormAhead',
  'partial',
  'scanFailed',
  'notScanned',
  'channelFailing',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What a threshold compares: `bytes` in bytes, `score` from 0 to 100. */
export const METRICS = ['keys', 'bytes', 'bigkeys', 'noExpiryKeys', 'mandatoryKeys', 'score'] as const;
export type Metric = (typeof METRICS)[number];

export const CHANNEL_KINDS = ['dingtalk', 'feishu', 'wecom', 'slack', 'webhook', 'alertmanager', 'smtp'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Kinds of which a secret signs each request, besides the address. */
export const SIGNING_KINDS: readonly ChannelKind[] = ['dingtalk', 'feishu', 'webhook'];
