import type { ComponentProps } from 'react';
import { Input } from '@/components/ui/forms/input';
import { useDraft } from './use-draft';

type Props = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onKeyDown'> & {
  value: string;
  onCommit: (text: string) => void;
};

/** A text that counts a moment after the last key, or at once with Enter. */
export function DraftInput({ value, onCommit, ...props }: Props) {
  const draft = useDraft(value, onCommit);
  return (
    <Input
      value={draft.text}
      onChange={(event) => draft.change(event.target.value)}
      onKeyDown={(event) => event.key === 'Enter' && draft.flush()}
      {...props}
    />
  );
}
