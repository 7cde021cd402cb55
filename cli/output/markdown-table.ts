/** Escapes a text for a cell. Names are data, so all characters with a meaning in Markdown or HTML are escaped. */
export const cell = (text: string) => text.replace(/[\\`*_{}[\]()#+!<>|~]/g, (c) => `&#${c.charCodeAt(0)};`);
export const code = (text: string) => `<code>${cell(text)}</code>`;

/** A Markdown table. `rawColumns` are indexes of columns that already contain markup. */
export function table(head: string[], rows: string[][], rawColumns: readonly number[] = []): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(row.map((text, i) => (rawColumns.includes(i) ? text : cell(text)))));
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body, ''].join('\n');
}
