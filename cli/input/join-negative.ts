/** `--sort -bytes` reads as two options to parseArgs. */
export function joinNegative(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    if (joined.at(-1) === '--sort' && arg.startsWith('-')) joined[joined.length - 1] = `--sort=${arg}`;
    else joined.push(arg);
  }
  return joined;
}
