import ipaddr from 'ipaddr.js';

/**
 * Whether an address is reachable on the public internet. Excludes loopback, private, link-local, carrier NAT
 * and documentation ranges, and every IPv6 form that embeds an IPv4 address (mapped, compatible, NAT64, 6to4,
 * Teredo, ISATAP).
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() === 'unicast';
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.range() === 'unicast' && isGlobal(parsed.parts) && !isIsatap(parsed.parts);
}

/** 2000::/3 is the allocated global unicast space. */
const isGlobal = (parts: readonly number[]): boolean => ((parts[0] ?? 0) & 0xe000) === 0x2000;

/** …:0:5efe:a.b.c.d and …:200:5efe:a.b.c.d embed the IPv4 address at their end. */
const isIsatap = (parts: readonly number[]): boolean =>
  ((parts[4] ?? 0) & 0xfdff) === 0 && parts[5] === 0x5efe;
