import { AppError } from '@/lib/model/errors';
import { toWellFormed } from '@/lib/model/text/to-well-formed';

const BODY_LIMIT_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;

const UNSTORABLE = 'a NUL character or half of a surrogate pair, which the database cannot store';
const isStorable = (text: string) => !text.includes('\0') && toWellFormed(text) === text;

/**
 * Reads the body as JSON. Size and depth are limited before parsing; names that touch prototypes, and texts that
 * PostgreSQL would store differently, are refused. An empty body gives {}.
 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text.trim() === '') return {};
  checkDepth(text);
  try {
    return JSON.parse(text, (name, value) => {
      if (name === '__proto__') throw new AppError('bad_request', 'The body contains the name __proto__.');
      if (!isStorable(name) || (typeof value === 'string' && !isStorable(value)))
        throw new AppError('bad_request', `The body contains ${UNSTORABLE}.`, isStorable(name) ? { field: name } : {});
      return value;
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('bad_request', 'The body is not valid JSON.');
  }
}

async function readText(request: Request): Promise<string> {
  const tooLarge = new AppError('too_large', 'The body is larger than 1 MB.', { limitBytes: BODY_LIMIT_BYTES });
  if (Number(request.headers.get('content-length') ?? 0) > BODY_LIMIT_BYTES) throw tooLarge;
  if (!request.body) return '';
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > BODY_LIMIT_BYTES) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge;
    }
    chunks.push(value);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new AppError('bad_request', 'The body is not valid UTF-8.');
  }
}

/** Throws if the JSON is nested too deeply. Called before parsing, because the parser and the reviver recurse. */
function checkDepth(text: string): void {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inText) {
      if (char === 0x5c) i += 1;
      else if (char === 0x22) inText = false;
    } else if (char === 0x22) inText = true;
    else if (char === 0x5b || char === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new AppError('bad_request', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (char === 0x5d || char === 0x7d) depth -= 1;
  }
}
