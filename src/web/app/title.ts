import type { MetaDescriptor } from 'react-router'
import type { FrameContents } from '#server/pages/page-services.ts'

interface PageDescription {
  /** `contentsOf(matches)`. */
  contents: FrameContents | undefined
  /** Left out on the home page, whose title is the association's name alone. */
  title?: string
  description?: string
  /** 1200 x 630 px, a path on this site. */
  sharePicture?: string
}

/** Title, description and share picture of a page: what its `meta` returns. The root adds the canonical address. */
export function pageMeta({
  contents,
  title,
  description,
  sharePicture = '/share.png',
}: PageDescription): MetaDescriptor[] {
  const fullTitle = [title, contents?.association.name].filter(Boolean).join(', ')
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

/** The root's contents out of a page's `matches`; undefined when the root itself failed. */
export function contentsOf(
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[],
): FrameContents | undefined {
  const root = matches.find((match) => match?.id === 'root')
  return root?.loaderData as FrameContents | undefined
}
