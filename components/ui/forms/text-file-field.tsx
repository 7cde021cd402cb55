import { useState } from 'react';
import { Field } from './field';
import { Input, Textarea } from './input';

/** A text that is pasted or read from a file. A file that is not UTF-8 is refused, and the text is empty then. */
export function TextFileField(props: {
  value: string;
  onChange: (text: string) => void;
  accept: string;
  rows: number;
  labels: { file: string; text: string; notUtf8: string; placeholder?: string };
}) {
  const { value, onChange, labels } = props;
  const [isNotUtf8, setIsNotUtf8] = useState(false);
  async function showFile(file: File | undefined) {
    // A cancelled choice leaves no file, and no reason to lose the pasted text.
    if (file === undefined) return setIsNotUtf8(false);
    const text = await readUtf8(file);
    setIsNotUtf8(text === null);
    onChange(text ?? '');
  }
  return (
    <div className="space-y-3">
      <Field label={labels.file} error={isNotUtf8 ? labels.notUtf8 : undefined}>
        <Input
          type="file"
          accept={props.accept}
          className="py-1"
          onChange={(event) => void showFile(event.target.files?.[0])}
        />
      </Field>
      <Field label={labels.text}>
        <Textarea
          rows={props.rows}
          value={value}
          placeholder={labels.placeholder}
          onChange={(event) => onChange(event.target.value)}
          className="font-mono text-xs"
          spellCheck={false}
        />
      </Field>
    </div>
  );
}

/**
 * The text of the file; null: it is not UTF-8. Decoding another encoding as UTF-8 would change letters, and patterns
 * with them.
 */
async function readUtf8(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
