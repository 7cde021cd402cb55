/** Resolves after `ms` or when `early` does, and leaves no timer that would keep the process alive. */
export async function waitFor(ms: number, early: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([early, late]);
  clearTimeout(timer);
}
