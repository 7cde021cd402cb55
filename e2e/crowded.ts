/**
 * Runs in the page. Returns one text for each defect of the top bar: a button that is outside the viewport, overlaps
 * its neighbour, or shows too little of its text.
 */
export function crowded(): string[] {
  const bar = document.querySelector('header')!;
  const buttons = [...bar.querySelectorAll<HTMLElement>(':scope > button')].filter((one) => one.offsetWidth > 0);
  const makeName = (one: HTMLElement) => one.getAttribute('aria-label') ?? one.innerText;
  const found = bar.scrollWidth > bar.clientWidth ? ['the bar scrolls'] : [];
  for (const [at, one] of buttons.entries()) {
    const { left, right } = one.getBoundingClientRect();
    const before = buttons[at - 1]?.getBoundingClientRect().right ?? 0;
    if (left < before - 0.5) found.push(`${makeName(one)} stands on what is before it`);
    if (right > window.innerWidth + 0.5) found.push(`${makeName(one)} is beyond the window`);
    if (one.scrollWidth > one.clientWidth + 1) found.push(`${makeName(one)} is narrower than its content`);
    const text = one.querySelector<HTMLElement>('.truncate');
    if (text && text.offsetWidth > 0 && text.scrollWidth > text.clientWidth && text.clientWidth < 48)
      found.push(`${makeName(one)} shows too little of ${text.innerText}`);
  }
  return found;
}
