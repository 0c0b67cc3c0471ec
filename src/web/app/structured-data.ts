import type { MetaDescriptor } from 'react-router'

/** A schema.org description for search engines, as a `meta` entry of a page. It is data: browsers never run it. */
export function structuredData(description: Record<string, unknown>): MetaDescriptor {
  return { 'script:ld+json': { '@context': 'https://schema.org', ...description } }
}
