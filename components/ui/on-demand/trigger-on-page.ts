import { type Ref, type RefObject, useImperativeHandle } from 'react';

/** Stands in Radix for the trigger that is on the page: it places the content there and gives the focus back to it. */
export function TriggerOnPage({ element, ref }: { element: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element.current as HTMLElement);
  return null;
}
