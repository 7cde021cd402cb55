import { escapeOutput } from '@/lib/model/text/escape-foreign';

/**
 * Whatever a command writes as text from now on passes `escapeOutput`, so that no name of a key moves a cursor or
 * becomes a command of the pipeline that runs this. Standard error keeps the signs by which a progress line is drawn.
 */
export function guardOutput(): void {
  guard(process.stdout, (text) => escapeOutput(text));
  guard(process.stderr, (text) => text.split(DRAWING).map(escapeOutput).join(DRAWING));
}

const DRAWING = '\r\u001b[2K';

function guard(stream: NodeJS.WriteStream, change: (text: string) => string): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? change(chunk) : chunk, ...rest)) as typeof stream.write;
}
