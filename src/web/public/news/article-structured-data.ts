import { CATEGORY_LABELS, type NewsArticle } from '#contract/public/news.ts'
import type { RootData } from '#server/pages/page-services.ts'
import { contentPaths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { structuredData } from '#web/app/structured-data.ts'

/** schema.org data of an article. The author may be a committee. */
export function articleStructuredData(article: NewsArticle, { siteUrl, association }: RootData) {
  const url = siteUrl + contentPaths.article(article.id)
  const publisher = { '@type': 'Organization', name: association.name, url: siteUrl }
  return structuredData({
    '@type': 'NewsArticle',
    headline: article.title,
    description: article.excerpt,
    datePublished: article.date,
    articleSection: CATEGORY_LABELS[article.category],
    author: { '@type': /\bcommittee\b/i.test(article.author) ? 'Organization' : 'Person', name: article.author },
    image: [new URL(sharePicture(article.imageKey), siteUrl).href],
    url,
    mainEntityOfPage: url,
    publisher,
  })
}
