/** Returns text that UTF-8 can represent: a lone surrogate becomes U+FFFD, as in any encoder. */
export function toWellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
