/**
 * Writes to standard output and waits until it is written, so that a long text is complete when the process exits. Other
 * commands may read a Buffer as a file, so it is written unchanged (colonnade.ts).
 */
export const print = (text: string | Buffer): Promise<void> =>
  new Promise((done) => process.stdout.write(text, () => done()));

export const printJson = (value: unknown): Promise<void> => print(`${JSON.stringify(value)}\n`);

export const printLine = (text: string): void => void process.stdout.write(`${text}\n`);
