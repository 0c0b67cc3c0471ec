import { useEffect, useState } from 'react'
import { previewMarkdown, type ContentRecord, type ContentValue } from '#contract/console/content.ts'
import { parseEventDate } from '#contract/dates/event-dates.ts'
import { formatEventTimes } from '#contract/dates/event-when.ts'
import { formatDay } from '#contract/dates/days.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { EventDetailsPanel } from '#web/shared/event-details.tsx'
import { Panel } from '../ui/panel.tsx'
import { BrandPreview } from '../settings/brand-preview.tsx'
import { HomePreview, MenuPreview } from './website-previews.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { previewUrl } from './preview-url.ts'
import { linesOf, textOf } from './field-values.rules.ts'

const PAUSE_MS = 400

/** The body field of each content type that has its own page. */
const BODY_FIELDS: Record<string, string> = {
  events: 'body',
  news: 'content',
  pages: 'markdown',
  'added-pages': 'markdown',
}
/** The kinds whose preview is not a page of text. */
const OTHER_PREVIEWS = { home: HomePreview, menu: MenuPreview, brand: BrandPreview } as const

export function hasPreview(kind: string): boolean {
  return Object.hasOwn(BODY_FIELDS, kind) || Object.hasOwn(OTHER_PREVIEWS, kind)
}

interface ContentPreviewProps {
  record: ContentRecord
  value: ContentValue
  today: string
}

/** A live, inert preview of what is being edited. */
export function ContentPreview(props: ContentPreviewProps) {
  const { kind } = props.record.kind
  const Preview = kind === 'home' || kind === 'menu' || kind === 'brand' ? OTHER_PREVIEWS[kind] : PagePreview
  return (
    <Panel title="Preview">
      <div className="content-preview-page" inert>
        <Preview {...props} />
      </div>
    </Panel>
  )
}

function PagePreview({ record, value, today }: ContentPreviewProps) {
  const { kind } = record.kind
  const markdown = textOf(value[BODY_FIELDS[kind] ?? ''])
  const { html, failed } = useRendered(markdown)
  const picture = linesOf(value['imageKey'] ?? value['picture']).split('\n')[0] ?? ''
  return (
    <>
      {failed && <p role="status">The preview is unavailable. It returns once the site responds.</p>}
      <article className="article">
        <PageHead
          title={textOf(value['title']) || 'Untitled'}
          lead={textOf(kind === 'pages' ? value['lead'] : (value['excerpt'] ?? value['description'] ?? value['lead']))}
        />
        <div className="wrap section">
          {kind === 'events' && <EventDetailsPanel event={eventOf(value)} today={today} />}
          {kind === 'news' && (
            <p className="meta byline">
              {[textOf(value['author']), textOf(value['date']) && formatDay(textOf(value['date']))]
                .filter(Boolean)
                .join(', ')}
            </p>
          )}
          {picture && (
            <figure className="passage-picture">
              <Picture key={picture} src={previewUrl(imageUrl(picture))} alt="" width={1200} height={750} />
            </figure>
          )}
          {/* Sanitized on the server. */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
        </div>
      </article>
    </>
  )
}

function useRendered(markdown: string): { html: string; failed: boolean } {
  const [state, setState] = useState({ html: '', failed: false })
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      callAsOfficer(previewMarkdown, { body: { markdown } }).then(
        ({ html }) => isCurrent && setState({ html, failed: false }),
        () => isCurrent && setState((before) => ({ ...before, failed: true })),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [markdown])
  return state
}

function eventOf(value: ContentValue) {
  const text = (name: string) => textOf(value[name])
  const span = parseEventDate(text('date'))
  return {
    id: 'preview',
    title: text('title'),
    description: text('description'),
    ...formatEventTimes({ date: text('date'), time: text('time') || null }),
    location: text('location'),
    address: text('address') || null,
    imageKey: '',
    detailsLink: text('detailsLink'),
    startsOn: span?.startsOn ?? null,
    endsOn: span?.endsOn ?? null,
    startsAt: null,
    endsAt: null,
    html: '',
    startDate: null,
    endDate: null,
  }
}
