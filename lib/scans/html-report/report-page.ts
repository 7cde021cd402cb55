import type { Language } from '@/lib/model/language';
import { formatBytes, formatShare, getNumberFormat } from '@/lib/model/text/format-figures';
import { Html, html } from './html';
import { REPORT_WORDS, type ReportWords } from './report-words';

/** What every part of a report is written with: the words and the formats of its language. null is unknown. */
export interface ReportWriter {
  language: Language;
  words: ReportWords;
  number(value: number | null): string;
  bytes(value: number | null): string;
  share(value: number | null): string;
  /** UTC, because the reader of a file is unknown: `2026-03-01 04:05 UTC`. */
  time(at: number): string;
}

export function createReportWriter(language: Language): ReportWriter {
  const words = REPORT_WORDS[language];
  const known = (format: (value: number, locale: string) => string) => (value: number | null) =>
    value === null ? words.unknown : format(value, language);
  return {
    language,
    words,
    number: known((value) => getNumberFormat(language, { maximumFractionDigits: 1 }).format(value)),
    bytes: known(formatBytes),
    share: known(formatShare),
    time: (at) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  };
}

/** Light and dark, and on paper: without script, fonts or pictures, so the file shows the same anywhere. */
const STYLE = `
:root { color-scheme: light dark; --line: #d5d9e0; --quiet: #5b6472; --bad: #a3191f; --good: #146c43; }
@media (prefers-color-scheme: dark) { :root { --line: #3a4150; --quiet: #a4adbb; --bad: #ff8b8b; --good: #6fd39b; } }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; } .quiet { color: var(--quiet); } .bad { color: var(--bad); } .good { color: var(--good); }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .5rem 1.5rem; margin: 1rem 0; }
dt { color: var(--quiet); font-size: .85rem; } dd { font-size: 1.25rem; font-weight: 600; margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; } th { color: var(--quiet); font-weight: 500; text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .75rem .3rem 0; vertical-align: top; }
td.name { font-family: ui-monospace, monospace; overflow-wrap: anywhere; min-width: 10rem; }
td.word { white-space: nowrap; }
td.num, th.num { text-align: right; white-space: nowrap; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
`;
/** It has no name from a server, so nothing in it is escaped. */
const PAGE_STYLE = new Html(`<style>${STYLE}</style>`);

/** One complete file. It has no script and loads nothing. */
export function writePage({ language }: ReportWriter, title: string, body: readonly Html[]): string {
  const { text } = html`<title>${title}</title></head><body>${body}</body></html>`;
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${PAGE_STYLE.text}${text}\n`;
}

type HtmlCell = string | Html;
interface ReportColumn<R> {
  title: string;
  /** `name`: a name of keys, in a monospaced face; `word`: it is kept on one line. */
  look?: 'num' | 'name' | 'word';
  cell: (row: R) => HtmlCell;
}

export function writeTable<R>(
  { words }: ReportWriter,
  title: string,
  rows: readonly R[],
  columns: readonly ReportColumn<R>[],
): Html {
  if (rows.length === 0) return html`<h2>${title}</h2><p class="quiet">${words.none}</p>`;
  const head = columns.map(({ title: name, look }) => html`<th scope="col" class="${look ?? ''}">${name}</th>`);
  const lines = rows.map(
    (row) => html`<tr>${columns.map(({ look, cell }) => html`<td class="${look ?? ''}">${cell(row)}</td>`)}</tr>
`,
  );
  return html`<h2>${title}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>
${lines}</tbody></table></div>`;
}

export const writeFigures = (figures: readonly (readonly [label: string, value: string])[]): Html =>
  html`<dl>${figures.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
