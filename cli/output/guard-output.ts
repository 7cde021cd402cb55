import { escapeOutput } from '@/lib/model/text/escape-foreign';

/**
 * Escapes all text that the process writes from now on, so that no name of a key moves the cursor or is taken for a
 * command by the pipeline that runs this. Standard error still passes the characters that redraw a progress line.
 */
export function guardOutput(): void {
  guard(process.stdout, escapeOutput);
  guard(process.stderr, (text) => text.split(REDRAW).map(escapeOutput).join(REDRAW));
}

/** Goes to the beginning of the line and clears it (progress-line.ts). */
const REDRAW = '\r\u001b[2K';

function guard(stream: NodeJS.WriteStream, change: (text: string) => string): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? change(chunk) : chunk, ...rest)) as typeof stream.write;
}
