import { useEffect, useState } from 'react'
import { data } from 'react-router'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { readDemo } from '#contract/demo/demo.ts'
import { redirectTo } from '#web/api/redirect.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import styles from '#web/styles/public/demo.css?url'
import { DemoEmails } from './demo-emails.tsx'
import type { Route } from './+types/demo'

type Demo = ReplyOf<typeof readDemo>
type Person = Demo['people'][number]

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

/** Only a demo has this page. */
export async function loader({ context }: Route.LoaderArgs) {
  if (!(await context.get(pageServicesContext).rootData()).isDemo) throw data(null, { status: 404 })
  return null
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Demo' })
}

export default function DemoPage() {
  const { association } = useFrameContents()
  const [demo, setDemo] = useState<Demo | null>(null)
  const [failure, setFailure] = useState('')
  const [entering, setEntering] = useState('')

  useEffect(() => {
    import('./demo-calls.ts')
      .then(({ read }) => read())
      .then(setDemo)
      .catch((error: unknown) => setFailure(explain(error)))
  }, [])

  async function enter({ email, isOfficer }: Person) {
    setEntering(email)
    setFailure('')
    try {
      const { logInAs } = await import('./demo-calls.ts')
      await logInAs(email)
      // A new document: nothing of the person before stays in memory.
      await redirectTo(isOfficer ? paths.console() : paths.account())
    } catch (error) {
      setFailure(explain(error))
      setEntering('')
    }
  }

  const people = (wantsOfficers: boolean) => (demo?.people ?? []).filter(({ isOfficer }) => isOfficer === wantsOfficers)
  return (
    <>
      <PageHead
        title="Try this site"
        lead="Everyone here is fictional. Log in as any of these people, without a password. No card is charged, and no email leaves this demo."
      />
      <div className="wrap demo">
        <NeedsScript email={association.email} />
        {failure && (
          <Banner tone="bad" role="alert">
            {failure}
          </Banner>
        )}
        {!demo && !failure && <Spinner text="Loading the people" />}
        {demo && (
          <>
            <Banner tone="note" title="Don’t enter personal information.">
              <p>
                Other visitors see it until the demo starts afresh at {timeOf(demo.resetsAt)}. Passwords, second factors
                and roles cannot be changed, so that everyone can log in.
              </p>
            </Banner>
            <PersonList
              title="Members"
              people={people(false)}
              entering={entering}
              onEnter={(person) => void enter(person)}
            />
            <PersonList
              title="Officers"
              people={people(true)}
              entering={entering}
              onEnter={(person) => void enter(person)}
            />
            <DemoEmails guestAddress={demo.guestAddress} />
          </>
        )}
      </div>
    </>
  )
}

interface PersonListProps {
  title: string
  people: readonly Person[]
  /** The address of the person whose log-in is under way; empty if none is. */
  entering: string
  onEnter(person: Person): void
}

function PersonList({ title, people, entering, onEnter }: PersonListProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="demo-people">
        {people.map((person) => (
          <li key={person.email} className="card demo-person">
            <h3>{person.name}</h3>
            <p>{person.about}</p>
            <Button
              variant="line"
              size="small"
              busy={entering === person.email}
              busyLabel="Logging in"
              onClick={() => onEnter(person)}
            >
              Log in as {person.name.split(' ')[0]}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const timeOf = (instant: string) => new Date(instant).toLocaleTimeString('en-US', { timeStyle: 'short' })

function explain(failure: unknown): string {
  return errorMessage(failure, {
    refused: 'That did not work. Please try again.',
    network: 'We couldn’t reach the demo. It may be resetting: reload this page in a few seconds.',
  })
}
