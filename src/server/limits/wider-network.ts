/** The limit of the surrounding network, as a multiple of the limit of one address. */
export const WIDER_FACTOR = 20

/**
 * Returns the IPv6 /48 of a /64 as rate limits count it (`2001:db8:1:2`); null for anything else. A rented server often comes with a /48, which holds 65,536
 * subjects. Phones of one carrier share one as well, so the limit is much higher than that of an address.
 */
export function widerNetwork(subject: string): string | null {
  const groups = subject.split(':')
  return groups.length === 4 ? groups.slice(0, 3).join(':') : null
}
