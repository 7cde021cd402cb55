import { visibleText } from '@/components/ui/visible-text';

/** Makes invisible characters visible, except for the spaces that indent a line, which the view has added. */
export const visibleLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const indent = line.length - line.replace(/^ +/, '').length;
      return line.slice(0, indent) + visibleText(line.slice(indent));
    })
    .join('\n');
