/** Names are data: what Markdown or HTML would obey is written out. */
export const cell = (text: string) => text.replace(/[\\`*_{}[\]()#+!<>|~]/g, (c) => `&#${c.charCodeAt(0)};`);
export const code = (text: string) => `<code>${cell(text)}</code>`;

/** `rawColumns` hold finished markup. */
export function table(head: string[], rows: string[][], rawColumns: readonly number[] = []): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(row.map((text, i) => (rawColumns.includes(i) ? text : cell(text)))));
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body, ''].join('\n');
}
