import type { ComponentProps } from 'react';
import { Input } from './input';

type Props = Omit<ComponentProps<'input'>, 'onChange'> & { onValueChange?: (value: string) => void };

/** A field for the name of an account, as it is typed at sign-in. */
export function UserNameInput({ onValueChange, ...props }: Props) {
  return (
    <Input
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={64}
      onChange={onValueChange && ((event) => onValueChange(event.target.value))}
      {...props}
    />
  );
}
