import type { MouseEvent } from 'react';

/** A tick of one row or of all. It listens to the click, which knows whether Shift is held. */
export function SelectBox(props: {
  label: string;
  checked: boolean;
  some?: boolean;
  disabled?: boolean;
  /** false: not a stop of the Tab key, as in the rows of a table that arrow keys walk through. */
  reachable?: boolean;
  onClick: (event: MouseEvent<HTMLInputElement>) => void;
}) {
  return (
    <input
      type="checkbox"
      ref={(box) => {
        if (box) box.indeterminate = !props.checked && props.some === true;
      }}
      className="size-4 align-middle accent-accent-solid"
      aria-label={props.label}
      disabled={props.disabled}
      tabIndex={props.reachable === false ? -1 : undefined}
      checked={props.checked}
      onClick={props.onClick}
      // The click above decides; React wants to know that this is no forgotten handler.
      onChange={() => undefined}
    />
  );
}
