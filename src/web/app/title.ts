import { NO_ASSOCIATION, type Association } from '#contract/public/association.ts'
import type { MetaDescriptor } from 'react-router'
import { brandedUrl } from '#contract/brand/branded-url.ts'
import type { RootData } from '#server/pages/page-services.ts'

interface PageDescription {
  /** `contentsOf(matches)`. */
  contents: RootData | undefined
  /** Left out on the home page, whose title is only the association's name. */
  title?: string
  description?: string | undefined
  /** A path on this site; 1200 x 630 px. */
  sharePicture?: string
}

/** Title, description and share image, for a page's `meta`. The root adds the canonical URL. */
export function pageMeta({
  contents,
  title,
  description,
  sharePicture = brandedUrl('/share.png', contents?.association.brand?.version),
}: PageDescription): MetaDescriptor[] {
  const fullTitle = [title, contents?.association.name].filter(Boolean).join(' | ')
  const tags: MetaDescriptor[] = [{ title: fullTitle }, { property: 'og:title', content: fullTitle }]
  if (description) {
    tags.push({ name: 'description', content: description }, { property: 'og:description', content: description })
  }
  if (contents) {
    tags.push(
      { property: 'og:image', content: new URL(sharePicture, contents.siteUrl).href },
      { name: 'twitter:card', content: 'summary_large_image' },
    )
  }
  return tags
}

/** The association, for descriptions; empty texts if the root loader failed. */
export function associationOf(contents: RootData | undefined): Association {
  return contents?.association ?? NO_ASSOCIATION
}

/** The root's loader data from a page's `matches`; undefined if the root loader failed. */
export function contentsOf(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): RootData | undefined {
  const root = matches.find((match) => match?.id === 'root')
  return root?.loaderData as RootData | undefined
}
