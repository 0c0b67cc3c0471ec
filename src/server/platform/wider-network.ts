/** So many times the limit of one address hold for the network around it. */
export const WIDER_FACTOR = 20

/**
 * The IPv6 /48 network around a /64 as limits count it (`2001:db8:1:2`); null for everything else. Whoever rents one server often gets a /48, which is
 * 65,536 subjects. Phones of one carrier share one as well, so it is allowed far more than an address.
 */
export function widerNetwork(subject: string): string | null {
  const groups = subject.split(':')
  return groups.length === 4 ? groups.slice(0, 3).join(':') : null
}
