/**
 * What a user agent says of itself, as people call it; null = nothing that is known, and the text itself is shown. It
 * is whatever was sent: good for telling one's own sessions apart, for nothing else.
 */
export function browserName(agent: string): { browser: string; system: string | null } | null {
  const browser = BROWSERS.find(([, mark]) => mark.test(agent))?.[0];
  if (browser === undefined) return null;
  return { browser, system: SYSTEMS.find(([, mark]) => mark.test(agent))?.[0] ?? null };
}

/** In order: most of them claim to be those below as well. */
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
