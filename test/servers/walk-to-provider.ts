/** Does what a browser does at a provider: follows its redirects with cookies, signs in when asked, and returns. */
export class Walker {
  private readonly cookies = new Map<string, string>();

  /**
   * Follows redirects from the address that Colonnade returned until the provider redirects to `back`; returns that
   * address.
   */
  async walk(address: string, login: string, back: string): Promise<URL> {
    let next = new URL(address);
    for (let steps = 0; steps < 12; steps++) {
      if (next.href.startsWith(back)) return next;
      const isForm = next.pathname.startsWith('/interaction/');
      const response = await fetch(next, {
        method: isForm ? 'POST' : 'GET',
        redirect: 'manual',
        headers: {
          cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(isForm && { body: new URLSearchParams({ login }).toString() }),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') this.cookies.delete(name);
        else this.cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${next.pathname}: HTTP ${response.status} ${await response.text()}`);
      next = new URL(location, next);
    }
    throw new Error('The provider leads in circles.');
  }
}
