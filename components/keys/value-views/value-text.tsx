import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { KeyName } from '@/components/ui/key-name';
import { toVisibleText } from '@/components/ui/visible-text';
import type { PreviewBytes } from '@/lib/model/keys/live-key';
import { formatInView, type ValueView } from './value-view';

/** The longest text of a value in a table, in characters. */
export const MAX_CELL = 520;

/** Makes invisible characters visible, except for the spaces that indent a line, which the view has added. */
export const markInvisible = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const indent = line.length - line.replace(/^ +/, '').length;
      return line.slice(0, indent) + toVisibleText(line.slice(indent));
    })
    .join('\n');

/**
 * A value in a view, as one text with invisible characters made visible. If the value is not of that kind, this is
 * said, and `text` is shown, the value as plain text.
 */
export function ValueText(props: { value: PreviewBytes; text: string; view: Exclude<ValueView, 'text'> }) {
  const t = useTranslations('keys.page');
  const { value, view } = props;
  const shown = useMemo(() => {
    const text = formatInView(value, view);
    return text === null ? null : markInvisible(text);
  }, [value, view]);
  if (shown === null)
    return (
      <>
        <span className="mr-2 text-muted-foreground text-xs">{t('notInView', { view: t(`view.${view}`) })}</span>
        <KeyName name={props.text} max={MAX_CELL} wrap />
      </>
    );
  return (
    <pre
      dir="ltr"
      className="whitespace-pre-wrap font-mono text-[0.9em] leading-snug [overflow-wrap:anywhere] [unicode-bidi:isolate]"
    >
      {shown}
    </pre>
  );
}
