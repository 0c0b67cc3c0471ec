import * as z from 'zod/mini'
import { dayOf } from '#contract/dates/dates.ts'
import { EXPORT_UNREADABLE, IMPORT_MAX_ITEMS, type FoundContent } from '#contract/console/website/content-import.ts'
import { absolute, cleanHtml, plainText } from './clean-html.ts'
import { TOO_MANY } from './wordpress-export.ts'

const text = z.nullish(z.string())
const post = z.object({
  id: z.string(),
  title: text,
  slug: text,
  html: text,
  type: text,
  status: text,
  visibility: text,
  published_at: text,
  created_at: text,
  custom_excerpt: text,
  feature_image: text,
})
const data = z.object({
  posts: z.array(post),
  posts_meta: z._default(z.array(z.object({ post_id: z.string(), feature_image_alt: text })), []),
  posts_authors: z._default(z.array(z.object({ post_id: z.string(), author_id: z.string() })), []),
  users: z._default(z.array(z.object({ id: z.string(), name: text })), []),
})
const ghostExport = z.union([z.object({ db: z.array(z.object({ data })).check(z.minLength(1)) }), z.object({ data })])

/** What the export has instead of the address of the site. */
const PLACEHOLDER = '__GHOST_URL__'

/**
 * Reads a Ghost export (https://docs.ghost.org/migration/custom describes its tables). It does not have the address of the site, so the officer enters it.
 * @throws Error with a sentence for the officer
 */
export function readGhostExport(json: string, site: string): FoundContent {
  const found = z.safeParse(ghostExport, parse(json))
  if (!found.success) throw new Error(EXPORT_UNREADABLE)
  const base = absolute(/^https?:/i.test(site) ? site : `https://${site}`, '')?.replace(/\/+$/, '')
  if (!site.trim() || base === undefined)
    throw new Error(
      'Enter the address of the former website, such as https://www.example.org. A Ghost export does not name it.',
    )
  const tables = 'data' in found.data ? found.data.data : found.data.db[0]?.data
  if (!tables) throw new Error(EXPORT_UNREADABLE)
  const names = new Map(tables.users.map(({ id, name }) => [id, name ?? '']))
  const alts = new Map(tables.posts_meta.map((meta) => [meta.post_id, meta.feature_image_alt ?? '']))
  const authors = Map.groupBy(tables.posts_authors, (one) => one.post_id)
  if (tables.posts.length > IMPORT_MAX_ITEMS) throw new Error(TOO_MANY)
  const atSite = (address: string) => absolute(address.replaceAll(PLACEHOLDER, base), base) ?? ''
  const items = tables.posts.map((one) => {
    const cleaned = cleanHtml((one.html ?? '').replaceAll(PLACEHOLDER, base), { base })
    const isPublic = (one.visibility ?? 'public') === 'public'
    const by = (authors.get(one.id) ?? []).map(({ author_id: id }) => names.get(id) ?? '').filter(Boolean)
    return {
      kind: one.type === 'page' ? ('page' as const) : ('news' as const),
      // Unless the site has routes of its own, a post and a page are at their slug.
      address: `${base}/${one.slug ?? one.id}/`,
      otherPaths: [],
      title: plainText(one.title ?? ''),
      slug: one.slug ?? '',
      isPublished: (one.status === 'published' || one.status === 'sent') && isPublic,
      date: dayIn(one.published_at ?? one.created_at ?? ''),
      author: by.join(' and '),
      excerpt: plainText(one.custom_excerpt ?? ''),
      text: cleaned.text,
      picture: one.feature_image ? atSite(one.feature_image) : '',
      pictureAlt: alts.get(one.id) ?? '',
      time: '',
      location: '',
      notes: [...(isPublic ? [] : ['Only members could read it.']), ...cleaned.notes],
      obstacle: '',
    }
  })
  return { source: 'ghost', site: base, items, leftOut: [] }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new Error('The file is damaged or incomplete. Export it again.')
  }
}

/** Older versions write `2025-06-30 15:31:36` in UTC. */
function dayIn(moment: string): string {
  const instant = Date.parse(/[zZ]$/.test(moment) ? moment : `${moment.replace(' ', 'T')}Z`)
  return Number.isNaN(instant) ? '' : dayOf(instant)
}
