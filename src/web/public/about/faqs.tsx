import { useState } from 'react'
import { ReplyTime } from '#web/shared/reply-time.tsx'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { structuredData } from '#web/app/structured-data.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Announcer } from '#web/ui/announcer.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { slug } from '../slug.rules.ts'
import { groupQuestions, matchesQuery, type QuestionGroup } from './question.rules.ts'
import type { Route } from './+types/faqs'

const MAGNIFIER = 'm21 21-4.34-4.34M3 11a8 8 0 1 0 16 0a8 8 0 1 0-16 0'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [entries, head] = await Promise.all([services.faq(), services.pageHead('faqs')])
  return { entries, head }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return [
    ...pageMeta({
      contents: contentsOf(matches),
      title: 'FAQs',
      description: loaderData?.head.description,
    }),
    structuredData({
      '@type': 'FAQPage',
      mainEntity: (loaderData?.entries ?? []).map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    }),
  ]
}

export default function FaqsPage({ loaderData: { entries, head } }: Route.ComponentProps) {
  const [query, setQuery] = useState('')
  const found = entries.filter((entry) => matchesQuery(entry, query))
  return (
    <>
      <PageHead title="FAQs" lead={head.lead}>
        <div className="search" role="search">
          <Icon d={MAGNIFIER} />
          <input
            className="input"
            type="search"
            aria-label="Search the questions"
            placeholder="Dues, password, events..."
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </div>
        <Groups groups={groupQuestions(entries)} />
      </PageHead>
      <div className="wrap section questions">
        {groupQuestions(found).map((group) => (
          <Group key={group.id} group={group} />
        ))}
        {found.length === 0 && <p>No question has these words. Try fewer, or ask us below.</p>}
        <Announcer message={query && (found.length === 1 ? '1 question' : `${found.length} questions`)} />
      </div>
      <StillUnsure />
    </>
  )
}

function Groups({ groups }: { groups: QuestionGroup[] }) {
  if (groups.length < 2) return null
  return (
    <nav aria-label="Groups of questions">
      <ul className="chips">
        {groups.map(({ id, title }) => (
          <li key={id}>
            <a className="chip" href={`#${id}`}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Group({ group: { id, title, entries } }: { group: QuestionGroup }) {
  return (
    <section className="question-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div>
        {entries.map(({ question, answer, isOpen }) => (
          <details key={question} className="fold" open={isOpen}>
            <summary>{question}</summary>
            {/* A link to this id opens the fold. Sanitized on the server. */}
            <div id={slug(question)} className="prose" dangerouslySetInnerHTML={{ __html: answer }} />
          </details>
        ))}
      </div>
    </section>
  )
}

function StillUnsure() {
  const { partsOff = [] } = useFrameContents()
  return (
    <section className="section panel still-unsure" aria-labelledby="still-unsure">
      <div className="wrap">
        <h2 id="still-unsure">Still unsure?</h2>
        <ul className="three-ways">
          <li>
            <h3>
              <Link to={paths.contact()}>Ask us</Link>
            </h3>
            <p className="soft">
              A real person replies within <ReplyTime />.
            </p>
          </li>
          <li>
            <h3>
              <Link to={paths.becomeAMember()}>Compare memberships</Link>
            </h3>
            <p className="soft">Levels and prices on one page.</p>
          </li>
          {!partsOff.includes('events') && (
            <li>
              <h3>
                <Link to={paths.events()}>Come to an event first</Link>
              </h3>
              <p className="soft">Meet us, then decide.</p>
            </li>
          )}
        </ul>
      </div>
    </section>
  )
}
