/** Appends parameters to an address that may have some. */
export const addToAddress = (address: string, params: Record<string, string | undefined>): string =>
  Object.entries(params).reduce(
    (text, [name, value]) =>
      value === undefined ? text : `${text}${text.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`,
    address,
  );
