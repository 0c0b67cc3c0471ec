import type { NewsItem } from '#contract/news.ts'
import { contentPaths } from '#web/app/paths.ts'
import { Card } from '#web/ui/card.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { pictureAddress } from '#web/ui/picture-address.ts'
import { NewsLine } from './news-line.tsx'

export function NewsCard({ item, first = false }: { item: NewsItem; first?: boolean }) {
  return (
    <Card
      title={item.title}
      to={contentPaths.article(item.id)}
      picture={<Picture src={pictureAddress(item.imageKey)} alt="" width={1200} height={900} first={first} />}
    >
      <NewsLine item={item} />
      <p>{item.excerpt}</p>
      <p className="meta">{item.author}</p>
    </Card>
  )
}
