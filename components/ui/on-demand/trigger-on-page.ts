import { type Ref, type RefObject, useImperativeHandle } from 'react';

/**
 * Represents the trigger, which is on the page, for Radix: Radix positions the content there and returns the focus to
 * it.
 */
export function TriggerOnPage({ element, ref }: { element: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element.current as HTMLElement);
  return null;
}
