/** Escapes a text for a cell. Names are data, so all characters with a meaning in Markdown or HTML are escaped. */
export const escapeCell = (text: string) => text.replace(/[\\`*_{}[\]()#+!<>|~]/g, (c) => `&#${c.charCodeAt(0)};`);
export const formatCode = (text: string) => `<code>${escapeCell(text)}</code>`;

/** A Markdown table. `rawColumns` are indexes of columns that already contain markup. */
export function formatMarkdownTable(head: string[], rows: string[][], rawColumns: readonly number[] = []): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(row.map((text, i) => (rawColumns.includes(i) ? text : escapeCell(text)))));
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body, ''].join('\n');
}
