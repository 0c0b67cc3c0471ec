import { useEffect, useState } from 'react'
import { previewWords, type ContentValue } from '#contract/console-content.ts'
import { readEventDate } from '#contract/event-dates.ts'
import { writeWhen } from '#contract/event-when.ts'
import { writeDay } from '#contract/days.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { EventFacts } from '#web/features/events/event-facts.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { pictureAddress } from '#web/ui/picture-address.ts'
import { freshAddress } from './fresh-address.ts'
import { linesOf, textOf } from './content-values.rules.ts'

const PAUSE_MS = 400

/** Which field of a kind holds its words; other kinds have no page of their own. */
const WORDS: Record<string, string> = { events: 'body', news: 'content', pages: 'markdown' }

export function hasPreview(kind: string): boolean {
  return Object.hasOwn(WORDS, kind)
}

/** The record as its page shows it, a moment after the typing pauses. For the eye only: nothing in it can be used. */
export function ContentPreview({ kind, value, today }: { kind: string; value: ContentValue; today: string }) {
  const words = textOf(value[WORDS[kind] ?? ''])
  const { html, failed } = useRendered(words)
  const picture = linesOf(value['imageKey'] ?? value['picture']).split('\n')[0] ?? ''
  return (
    <section className="content-preview" aria-label="Preview">
      <h2>As visitors will see it</h2>
      {failed && <p role="status">The preview will be here again once the site answers.</p>}
      <div className="content-preview-page" inert>
        <article className="article">
          <PageHead
            title={textOf(value['title']) || 'Untitled'}
            lead={textOf(value['description'] ?? value['excerpt'] ?? value['lead'])}
          />
          <div className="wrap section">
            {kind === 'events' && <EventFacts event={eventOf(value)} today={today} />}
            {kind === 'news' && (
              <p className="meta byline">
                {[textOf(value['author']), textOf(value['date']) && writeDay(textOf(value['date']))]
                  .filter(Boolean)
                  .join(', ')}
              </p>
            )}
            {picture && (
              <figure className="passage-picture">
                <Picture key={picture} src={freshAddress(pictureAddress(picture))} alt="" width={1200} height={750} />
              </figure>
            )}
            {/* Sanitised on the server. */}
            <div className="words" dangerouslySetInnerHTML={{ __html: html }} />
          </div>
        </article>
      </div>
    </section>
  )
}

function useRendered(markdown: string): { html: string; failed: boolean } {
  const [state, setState] = useState({ html: '', failed: false })
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      callAsOfficer(previewWords, { body: { markdown } }).then(
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
  const span = readEventDate(text('date'))
  return {
    id: 'preview',
    title: text('title'),
    description: text('description'),
    ...writeWhen({ date: text('date'), time: text('time') || null }),
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
