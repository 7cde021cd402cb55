import { useState } from 'react';

/**
 * The version of a record that a form was opened with. A version that another person saves replaces it at once, unless
 * the form has reported unsaved changes (`setChanged`). Then the new version is `newer` until the form opens it; null:
 * there is none.
 */
export function useOpenedVersion<V extends { updatedAt: number | null }>(newest: V) {
  const [opened, setOpened] = useState(newest);
  const [changed, setChanged] = useState(false);
  const isOutdated = newest.updatedAt !== opened.updatedAt;
  if (isOutdated && !changed) setOpened(newest);
  const open = (version: V) => {
    setChanged(false);
    setOpened(version);
  };
  return { opened, newer: isOutdated ? newest : null, setChanged, open };
}
