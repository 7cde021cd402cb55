import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { cn } from '@/components/ui/cn';
import { Label } from './label';

/** A label, one control, a hint and an error, connected by ids. */
export function Field(props: {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Text or button at the end of the label's line, for example that the field may stay empty. */
  optional?: ReactNode;
  className?: string;
  children: ReactElement<{ id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>;
}) {
  const generatedId = useId();
  const id = props.children.props.id ?? generatedId;
  const noteId = `${id}-note`;
  const note = props.error ?? props.hint;
  const control = cloneElement(props.children, {
    id,
    'aria-describedby': note ? noteId : undefined,
    'aria-invalid': props.error ? true : undefined,
  });
  return (
    <div className={cn('grid grid-cols-1 content-start gap-1.5', props.className)}>
      <div className="flex items-baseline justify-between gap-2">
        <Label htmlFor={id}>{props.label}</Label>
        {props.optional ? <span className="text-muted-foreground text-xs">{props.optional}</span> : null}
      </div>
      {control}
      {note ? (
        <p id={noteId} className={cn('text-xs', props.error ? 'text-danger' : 'text-muted-foreground')}>
          {note}
        </p>
      ) : null}
    </div>
  );
}
