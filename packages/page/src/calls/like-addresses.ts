/** An address that a link or a GET form of a page leads to. */
export interface OfferedAddress {
  readonly to: string;
  /** Names of the fields that a GET form adds to its address. */
  readonly fields?: readonly string[];
}

/** Whether getting an address does what a page offers: `alike` has other numbers or further parameters. */
export function likenessOf({ to, fields }: OfferedAddress, asked: string): 'same' | 'alike' | undefined {
  const [one, other] = [partsOf(to), partsOf(asked)];
  if (one === undefined || other === undefined || one.host !== other.host) return undefined;
  const isSamePlace = one.path === other.path;
  if (fields !== undefined) {
    const isSent = fields.length === 0 || other.names.some((name) => fields.includes(name));
    return isSamePlace && isSent ? 'same' : undefined;
  }
  if (isSamePlace && String(one.query) === String(other.query)) return 'same';
  const rest = other.query.map(withoutNumbers);
  const hasAll = one.query.map(withoutNumbers).every((each) => rest.includes(each));
  return withoutNumbers(one.path) === withoutNumbers(other.path) && hasAll ? 'alike' : undefined;
}

const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0');

/**
 * As most servers read it: scheme and `www.`, which they redirect, encoded letters, case, parameters of the path,
 * repeated and last slashes make no difference.
 */
function partsOf(url: string) {
  const address = URL.parse(url);
  if (address === null) return undefined;
  const path = decoded(address.pathname)
    .toLowerCase()
    .replace(/;[^/]*/g, '')
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
  const query = [...address.searchParams].map((pair) => pair.join('=').toLowerCase()).sort();
  return { host: address.host.replace(/^www\./, ''), path, query, names: [...address.searchParams.keys()] };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
