import type { ComponentProps } from 'react';
import { Input } from './input';

type Props = Omit<ComponentProps<'input'>, 'type' | 'onChange'> & { onValueChange?: (value: string) => void };

/** A password that exists already, so that password managers fill it. */
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
