import type { MetaDescriptor } from 'react-router'

/** A schema.org description for search engines, as a `meta` entry. It is data; browsers do not execute it. */
export function structuredData(description: Record<string, unknown>): MetaDescriptor {
  return { 'script:ld+json': { '@context': 'https://schema.org', ...description } }
}
