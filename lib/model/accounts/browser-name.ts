/**
 * Returns the common name of a browser from its user agent; null = unknown, and the text itself is shown. A client can
 * send any user agent, so this only helps people to distinguish their own sessions.
 */
export function detectBrowser(agent: string): { browser: string; system: string | null } | null {
  const browser = BROWSERS.find(([, mark]) => mark.test(agent))?.[0];
  if (browser === undefined) return null;
  return { browser, system: SYSTEMS.find(([, mark]) => mark.test(agent))?.[0] ?? null };
}

/** The order matters: most browsers also claim to be those further down. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['WeChat', /\bMicroMessenger\//],
  ['DingTalk', /\bDingTalk\//],
  ['Feishu', /\b(Lark|Feishu)\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*Safari\//],
  ['curl', /^curl\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];
