import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react'
import { useLocation } from 'react-router'
import { ROLE_NAMES } from '#contract/access.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/features/association/frame-contents.ts'
import { keepDoor } from '#web/features/console/console-door.ts'
import { EnrolForm } from '#web/features/console/enrol-form.tsx'
import { addressOf, findPlace, sectionOf, type ConsolePlace } from '#web/features/console/places.ts'
import { ProveDialog } from '#web/features/console/prove-dialog.tsx'
import { ProveForm } from '#web/features/console/prove-form.tsx'
import { useOfficer, type Entrance, type Officer } from '#web/features/console/use-officer.ts'
import { usePageFocus } from '#web/features/console/use-page-focus.ts'
import { NeedsScript } from '#web/features/forms/needs-script.tsx'
import { AnswerPage } from '#web/ui/answer-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/waiting.tsx'
import consoleStyles from '#web/styles/console.css?url'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/console'
import { places } from './console/places.ts'

const NAME = 'Officers’ console'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: consoleStyles }]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: NAME })
}

/** The door of the officers' console and the frame of its pages, which are fetched one by one. */
export default function ConsolePageFrame() {
  const { entrance, look } = useOfficer()
  if (entrance.step === 'inside') return <Inside officer={entrance.officer} lookAgain={look} />
  return <Door entrance={entrance} look={look} />
}

interface DoorProps {
  entrance: Exclude<Entrance, { step: 'inside' }>
  look(): void
}

function Door(props: DoorProps) {
  const door = usePageFocus()
  return (
    <div ref={door}>
      <AtDoor {...props} />
    </div>
  )
}

function AtDoor({ entrance, look }: DoorProps) {
  const { association } = useFrameContents()
  const { pathname, search } = useLocation()

  if (entrance.step === 'enrol' || entrance.step === 'prove') {
    const isNew = entrance.step === 'enrol'
    return (
      <AnswerPage spot="empty" title={isNew ? 'Secure your access' : 'Is it you?'}>
        {isNew ? (
          <EnrolForm onDone={look} />
        ) : (
          <>
            <p>The console asks for more than your password.</p>
            <ProveForm ways={entrance.officer.secondFactor.ways} label="Open the console" onProved={look} />
          </>
        )}
      </AnswerPage>
    )
  }
  if (entrance.step === 'loading') {
    return (
      <AnswerPage spot="empty" title={NAME}>
        <NeedsScript email={association.email} />
        <Spinner text="Opening the console..." />
      </AnswerPage>
    )
  }
  return (
    <AnswerPage
      spot="empty"
      title={NAME}
      actions={
        entrance.step === 'log-in' ? (
          <ButtonLink to={`${paths.login()}?${new URLSearchParams({ next: pathname + search })}`}>Log in</ButtonLink>
        ) : (
          <Button onClick={look}>Try again</Button>
        )
      }
    >
      {entrance.step === 'log-in' ? (
        <p>Please log in to go on. You come back here afterwards.</p>
      ) : (
        <Banner tone="bad" role="alert">
          {entrance.sentence}
        </Banner>
      )}
    </AnswerPage>
  )
}

function Inside({ officer, lookAgain }: { officer: Officer; lookAgain(): void }) {
  const { pathname } = useLocation()
  const { association } = useFrameContents()
  const [question, setQuestion] = useState<{ answer(isProved: boolean): void } | null>(null)
  const mayOpen = useCallback(
    ({ permission }: ConsolePlace) => officer.permissions.includes(permission),
    [officer.permissions],
  )

  useEffect(
    () =>
      keepDoor({
        lookAgain,
        askAgain: () =>
          new Promise((resolve) => {
            setQuestion({
              answer(isProved) {
                setQuestion(null)
                resolve(isProved)
              },
            })
          }),
      }),
    [lookAgain],
  )

  // On a phone the navigation scrolls sideways to the page that is open. Only the list moves: `scrollIntoView` would also scroll the
  // document on a screen too low for the whole navigation, and hide the heading.
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current=page]')
    const list = current?.closest('ul')
    if (!current || !list) return
    const shift = current.getBoundingClientRect().left - list.getBoundingClientRect().left
    list.scrollLeft += shift - (list.clientWidth - current.offsetWidth) / 2
  }, [pathname])

  const found = findPlace(places, pathname)
  const section = found && places.find(({ path }) => path === sectionOf(found.place))
  return (
    <div className="console wrap">
      {/* Not by `meta`: one document serves every address of the console. */}
      {section && <title>{`${section.label}, ${NAME}, ${association.name}`}</title>}
      <nav className="console-nav" aria-label="Console" ref={nav}>
        <ul>
          {places
            .filter((place) => place.label !== undefined && mayOpen(place))
            .map((place) => (
              <li key={place.path}>
                <Link to={addressOf(place)} aria-current={place === section ? 'page' : undefined}>
                  {place.label}
                </Link>
              </li>
            ))}
        </ul>
        <p className="small soft">
          {officer.name}, {officer.roles.map((role) => ROLE_NAMES[role]).join(' and ')}
        </p>
      </nav>
      <div className="console-main">
        {found && mayOpen(found.place) ? (
          <Place key={pathname} place={found.place} id={found.id} />
        ) : (
          <AnswerPage spot="empty" title={found ? 'Not with your role' : 'There is no such page here'}>
            <p>
              {found
                ? 'Your role does not open this page. Ask the president if it should.'
                : 'Choose another one from the navigation.'}
            </p>
          </AnswerPage>
        )}
      </div>
      <ProveDialog
        open={question !== null}
        ways={officer.secondFactor.ways}
        onAnswer={(isProved) => question?.answer(isProved)}
      />
    </div>
  )
}

function Place({ place, id }: { place: ConsolePlace; id: string }) {
  const [Page, setPage] = useState<ComponentType<{ id: string }> | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    let isCurrent = true
    setFailed(false)
    place.load().then(
      (module) => isCurrent && setPage(() => module.default),
      () => isCurrent && setFailed(true),
    )
    return () => {
      isCurrent = false
    }
  }, [place, attempt])

  if (Page) return <Page id={id} />
  if (!failed) return <Spinner text="Opening the page..." />
  return (
    <Banner tone="bad" role="alert">
      <p>This page could not be fetched. Check your connection and try again.</p>
      <Button variant="line" size="small" onClick={() => setAttempt(attempt + 1)}>
        Try again
      </Button>
    </Banner>
  )
}
