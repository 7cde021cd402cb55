/** Joins `--sort -bytes` into one argument, because parseArgs would read it as two options. */
export function joinNegative(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    if (joined.at(-1) === '--sort' && arg.startsWith('-')) joined[joined.length - 1] = `--sort=${arg}`;
    else joined.push(arg);
  }
  return joined;
}
