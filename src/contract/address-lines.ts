import type { Association } from './public/association.ts'

/** The postal address in two lines; what is not filled in is left out. */
export function addressLines({ street, suite, city, region, postalCode }: Association['address']): string[] {
  const place = [city, [region, postalCode].filter(Boolean).join(' ')]
  return [[street, suite], place].map((line) => line.filter(Boolean).join(', ')).filter(Boolean)
}
