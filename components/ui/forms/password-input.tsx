import type { ComponentProps } from 'react';
import { Input } from './input';

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & { onValueChange?: (value: string) => void };

/** A field for an existing password, which password managers fill. */
export function PasswordInput({ onValueChange, ...props }: Props) {
  return (
    <Input
      name="password"
      type="password"
      autoComplete="current-password"
      required
      maxLength={256}
      onChange={onValueChange && ((event) => onValueChange(event.target.value))}
      {...props}
    />
  );
}
