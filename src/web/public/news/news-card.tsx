import type { NewsItem } from '#contract/public/news.ts'
import { contentPaths } from '#web/app/paths.ts'
import { PreviewCard } from '#web/ui/preview-card.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { NewsMeta } from './news-meta.tsx'

export function NewsCard({ item, first = false }: { item: NewsItem; first?: boolean }) {
  return (
    <PreviewCard
      title={item.title}
      to={contentPaths.article(item.id)}
      picture={<Picture src={imageUrl(item.imageKey)} alt="" width={1200} height={900} isPriority={first} />}
    >
      <NewsMeta item={item} />
      <p>{item.excerpt}</p>
      <p className="meta">{item.author}</p>
    </PreviewCard>
  )
}
