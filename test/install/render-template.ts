/**
 * Renders templates as Helm does, as far as our charts need it: values, quoted or not, `if`, `else` and `range` over a
 * map, and `{{-`, which removes the blanks before it. Anything else in braces is refused.
 */
interface Scope {
  /** The value of `.`. */
  dot: unknown;
  /** `$` is the root value; `range` adds further names. */
  names: Record<string, unknown>;
}
type Part = (scope: Scope) => string;

const TAG = /\{\{(-?) (.*?) (-?)\}\}/gs;
const PATH = /^(\$\w*)?((?:\.[A-Za-z]\w*)*)$/;

export function renderTemplate(text: string, given: Record<string, unknown>): string {
  const left = splitTokens(text);
  const render = partsUntil(left, ['']);
  return render.body({ dot: given, names: { $: given } });
}

/** Returns texts and the contents of braces alternately, without the blanks that a dash removes. */
function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  let at = 0;
  let trims = false;
  const push = (part: string) => tokens.push(trims ? part.trimStart() : part);
  for (const { 0: whole, 1: before, 2: inner = '', 3: after, index } of text.matchAll(TAG)) {
    const part = text.slice(at, index);
    push(before ? part.trimEnd() : part);
    tokens.push(inner.trim());
    trims = after === '-';
    at = index + whole.length;
  }
  push(text.slice(at));
  if (tokens.some((token, i) => i % 2 === 0 && /\{\{|\}\}/.test(token))) throw new Error('Braces that are not closed.');
  // An empty text marks the end of the file.
  return [...tokens, ''];
}

/** Takes tokens up to one of the words in `ends`, and returns which one it was. */
function partsUntil(left: string[], ends: readonly string[]): { body: Part; end: string } {
  const parts: Part[] = [];
  for (;;) {
    const text = left.shift();
    const inner = left.shift();
    if (text === undefined || inner === undefined) throw new Error(`There is no ${ends.join(' or ')}.`);
    parts.push(() => text);
    if (ends.includes(inner)) return { body: (scope) => parts.map((part) => part(scope)).join(''), end: inner };
    parts.push(makePart(inner, left));
  }
}

function makePart(inner: string, left: string[]): Part {
  const [, condition] = /^if (\S+)$/.exec(inner) ?? [];
  if (condition !== undefined) {
    const { body, end } = partsUntil(left, ['else', 'end']);
    const otherwise = end === 'else' ? partsUntil(left, ['end']).body : () => '';
    // As in Go, a missing value, an empty text and 0 are false.
    return (scope) => (valueAt(condition, scope) ? body : otherwise)(scope);
  }
  const [, key = '', value = '', source = ''] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(inner) ?? [];
  if (source !== '') {
    const { body } = partsUntil(left, ['end']);
    return (scope) =>
      Object.entries(valueAt(source, scope) as Record<string, unknown>)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, one]) => body({ dot: one, names: { ...scope.names, [key]: name, [value]: one } }))
        .join('');
  }
  const [, path = '', quoted] = /^(\S+)( \| quote)?$/.exec(inner) ?? [];
  if (!PATH.test(path)) throw new Error(`More than a value: ${inner}`);
  return (scope) => {
    const found = valueAt(path, scope);
    if (typeof found !== 'string' && typeof found !== 'number') throw new Error(`There is no value ${path}`);
    return quoted ? JSON.stringify(String(found)) : String(found);
  };
}

/** Returns the value of a path; undefined = it does not exist. */
function valueAt(path: string, { dot, names }: Scope): unknown {
  const found = PATH.exec(path);
  if (found === null) throw new Error(`More than a value: ${path}`);
  const [, name, steps = ''] = found;
  const from = name === undefined ? dot : names[name];
  return steps
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], from);
}
