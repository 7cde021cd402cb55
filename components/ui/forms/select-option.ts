import type { ReactNode } from 'react';

export interface SelectOption<V extends string = string> {
  value: V;
  label: ReactNode;
}
