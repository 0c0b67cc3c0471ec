import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { structuredData } from '#web/app/structured-data.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/faqs'

export async function loader({ context }: Route.LoaderArgs) {
  return { entries: await context.get(pageServicesContext).faq() }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return [
    ...pageMeta({
      contents: contentsOf(matches),
      title: 'FAQs',
      description:
        'Who may join, what membership costs, how credentials are verified, how the clinic works, and other questions people ask us.',
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

export default function FaqsPage({ loaderData: { entries } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  return (
    <>
      <PageHead
        title="FAQs"
        lead={
          <>
            What people ask us most. Something missing? Write to{' '}
            <a href={`mailto:${association.email}`}>{association.email}</a>; a real person replies within 24-48 hours.
          </>
        }
      />
      <div className="wrap section">
        <div className="questions">
          {entries.map(({ question, answer }) => (
            <Disclosure key={question} summary={question}>
              {/* Sanitized on the server. */}
              <div className="prose" dangerouslySetInnerHTML={{ __html: answer }} />
            </Disclosure>
          ))}
        </div>
      </div>
    </>
  )
}
