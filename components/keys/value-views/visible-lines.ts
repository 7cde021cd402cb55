import { visibleText } from '@/components/ui/visible-text';

/** Invisible characters made visible, but for the spaces that indent a line: the view has put them there. */
export const visibleLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const indent = line.length - line.replace(/^ +/, '').length;
      return line.slice(0, indent) + visibleText(line.slice(indent));
    })
    .join('\n');
