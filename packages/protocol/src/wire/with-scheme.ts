const LOCAL =
  /^(localhost|[\w.-]+\.localhost|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[[\da-f:.]+\])(?=[:/?#]|$)/i;

/** Completes the address that a person or an agent typed: `shop.example`, `127.0.0.1:7720`. A local one has no certificate. */
export function withScheme(address: string): string {
  if (/^[a-z][\w+.-]*:(?!\d)/i.test(address)) return address;
  return `${LOCAL.test(address) ? 'http' : 'https'}://${address}`;
}
