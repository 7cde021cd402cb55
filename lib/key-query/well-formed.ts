/** Text as UTF-8 can hold it: a lone surrogate becomes U+FFFD, as any encoder would make it. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
