import { Lexer, Parser } from 'yaml';

/** A profile nests five deep. The reader keeps one entry for a collection and one for what is being read. */
const MAX_OPEN = 24;
/** Fields of one map, words of one list: that every field is there only once takes the square of their number. */
const MAX_ITEMS = 2000;
/** Signs, words and spaces of the whole; the largest preset has about 3,000. */
const MAX_LEXEMES = 60_000;

/**
 * What is too much about a YAML text, in a sentence, or null. Nothing is built of it: composing recurses once per
 * level, complex fields are written out once per level again (400 question marks take minutes), and a stack that ends
 * within native code ends the process. The reading here has a stack of its own, whose height is the depth.
 */
export function yamlExcess(text: string): string | null {
  const reader = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) return `It has more than ${MAX_LEXEMES} words and signs.`;
    // What is finished comes out; what is open lies on the stack.
    for (const _finished of reader.next(lexeme));
    const { stack } = reader;
    if (stack.length > MAX_OPEN) return 'It is nested too deep.';
    const open = stack.at(-1);
    if (open && 'items' in open && open.items.length > MAX_ITEMS)
      return `A list or a map in it has more than ${MAX_ITEMS} entries.`;
  }
  return null;
}
