/**
 * JSON indented over several lines, token by token: numbers keep their digits (64-bit ids too), repeated fields are
 * kept, and a cut value is shown up to the cut. There is no recursion, so no nesting is too deep; levels below
 * MAX_INDENTED stay on one line. null: the text is not JSON.
 */
const MAX_INDENTED = 16;
const TOKEN = /\s*("(?:[^"\\]|\\[\s\S])*"?|[{}[\],:]|[^\s{}[\],:"]+)/y;

export function jsonText(text: string, cut: boolean): string | null {
  if (!cut) {
    try {
      JSON.parse(text);
    } catch {
      return null;
    }
  } else if (!/^\s*[{[]/.test(text)) return null;
  let out = '';
  let depth = 0;
  let before = '';
  const line = () => (depth < MAX_INDENTED ? `\n${'  '.repeat(depth)}` : '');
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const token = match[1] as string;
    if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      out += (before === '{' && token === '}') || (before === '[' && token === ']') ? token : line() + token;
    } else {
      if (before === '{' || before === '[' || before === ',') out += line();
      out += token === ':' ? ': ' : token;
      if (token === '{' || token === '[') depth++;
    }
    before = token;
  }
  return cut ? `${out}…` : out;
}
