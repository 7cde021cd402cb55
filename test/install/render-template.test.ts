import { expect, it } from 'vitest';
import { renderTemplate } from './render-template';

const given = {
  Values: { name: 'wren', port: 3000, empty: '', pools: { near: { labels: 'eu' }, far: { labels: '' } } },
  Release: { Name: 'try' },
};

// The expected texts are those of `helm template`.
it.each([
  ['a: {{ .Values.name }}\nb: {{ .Values.port | quote }}\n', 'a: wren\nb: "3000"\n'],
  ['a:\n  {{- if .Values.name }}\n  b: 1\n  {{- end }}\nc: 2\n', 'a:\n  b: 1\nc: 2\n'],
  ['a:\n  {{- if .Values.empty }}\n  b: 1\n  {{- else }}\n  b: 2\n  {{- end }}\n', 'a:\n  b: 2\n'],
  [
    '{{- range $name, $pool := .Values.pools }}\n- {{ $name }}{{ $pool.labels | quote }}\n{{- end }}\n',
    '\n- far""\n- near"eu"\n',
  ],
  [
    '{{- range $n, $p := .Values.pools }}\n{{- if $p.labels }}\n{{ $.Release.Name }} {{ $n }}\n{{- end }}\n{{- end }}',
    '\ntry near',
  ],
  ['{{- if .Values.missing }}x{{- end }}y', 'y'],
])('%j', (text, rendered) => {
  expect(renderTemplate(text, given)).toBe(rendered);
});

it.each([
  '{{ .Values.missing }}',
  '{{ .Values.pools }}',
  // Within a range `.` is the current element.
  '{{ range $n, $p := .Values.pools }}{{ .Values.name }}{{ end }}',
  '{{ if eq .Values.name "wren" }}{{ end }}',
  '{{ .Values.name | upper }}',
  '{{ include "x" . }}',
  '{{ if .Values.name }}',
  '{{ .Values.name }',
  '{{ end }}',
])('%s is refused', (text) => {
  expect(() => renderTemplate(text, given)).toThrow();
});
