/** Text as UTF-8 can hold it: a lone surrogate becomes U+FFFD, as any encoder would make it. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
