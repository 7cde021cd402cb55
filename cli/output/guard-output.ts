import { escapeOutput } from '@/lib/model/text/escape-foreign';

/**
 * From now on all text that a command writes passes `escapeOutput`, so that no name of a key moves the cursor or is
 * taken for a command by the pipeline that runs this. Standard error still allows the characters that draw a progress
 * line.
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
