import { useCallback, useEffect, useRef, useState, type ComponentType } from 'react'
import { useLocation } from 'react-router'
import { ROLE_NAMES } from '#contract/access.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { registerAuthorizationHandler } from './shell/call-as-officer.ts'
import { SecondFactorSetup } from './second-factor/second-factor-setup.tsx'
import { ReauthenticationDialog } from './second-factor/reauthentication-dialog.tsx'
import { SecondFactorForm } from './second-factor/second-factor-form.tsx'
import { useOfficer, type OfficerAccess, type Officer } from './shell/use-officer.ts'
import { usePageFocus } from './shell/use-page-focus.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import consoleStyles from '#web/styles/console/console.css?url'
import { Link } from '#web/ui/link.tsx'
import type { Route } from './+types/console'
import { consoleRoutes, matchConsoleRoute, navigationEntry, routeUrl, type ConsoleRoute } from './console-routes.ts'

const NAME = 'Officers’ console'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: consoleStyles }]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: NAME })
}

/** The console's access check and frame; its pages are loaded one by one. */
export default function ConsolePageFrame() {
  const { entrance, look } = useOfficer()
  if (entrance.step === 'inside') return <ConsoleLayout officer={entrance.officer} lookAgain={look} />
  return <AccessCheck entrance={entrance} look={look} />
}

interface AccessProps {
  entrance: Exclude<OfficerAccess, { step: 'inside' }>
  look(): void
}

function AccessCheck(props: AccessProps) {
  const pageRef = usePageFocus()
  return (
    <div ref={pageRef}>
      <AccessPage {...props} />
    </div>
  )
}

function AccessPage({ entrance, look }: AccessProps) {
  const { association } = useFrameContents()
  const { pathname, search } = useLocation()

  if (entrance.step === 'enrol' || entrance.step === 'prove') {
    const isNew = entrance.step === 'enrol'
    return (
      <ResultPage spot="empty" title={isNew ? 'Secure your access' : 'Confirm it’s you'}>
        {isNew ? (
          <SecondFactorSetup onDone={look} />
        ) : (
          <>
            <p>The console requires more than your password.</p>
            <SecondFactorForm factors={entrance.officer.secondFactor.ways} label="Open the console" onProved={look} />
          </>
        )}
      </ResultPage>
    )
  }
  if (entrance.step === 'loading') {
    return (
      <ResultPage spot="empty" title={NAME}>
        <NeedsScript email={association.email} />
        <Spinner text="Opening the console..." />
      </ResultPage>
    )
  }
  return (
    <ResultPage
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
        <p>Please log in to continue. You will come back here afterward.</p>
      ) : (
        <Banner tone="bad" role="alert">
          {entrance.sentence}
        </Banner>
      )}
    </ResultPage>
  )
}

function ConsoleLayout({ officer, lookAgain }: { officer: Officer; lookAgain(): void }) {
  const { pathname } = useLocation()
  const { association } = useFrameContents()
  const [question, setQuestion] = useState<{ answer(isProved: boolean): void } | null>(null)
  const mayOpen = useCallback(
    ({ permission }: ConsoleRoute) => officer.permissions.includes(permission),
    [officer.permissions],
  )

  useEffect(
    () =>
      registerAuthorizationHandler({
        reloadOfficer: lookAgain,
        reauthenticate: () =>
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

  // On a phone the navigation scrolls sideways to the current page. Only the list scrolls: `scrollIntoView` would also
  // scroll the
  // document on a screen too low for the whole navigation, and hide the heading.
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current=page]')
    const list = current?.closest('ul')
    if (!current || !list) return
    const shift = current.getBoundingClientRect().left - list.getBoundingClientRect().left
    list.scrollLeft += shift - (list.clientWidth - current.offsetWidth) / 2
  }, [pathname])

  const match = matchConsoleRoute(pathname)
  const section = match && navigationEntry(match.route)
  return (
    <div className="console wrap">
      {/* Not with `meta`: one document serves every URL of the console. */}
      {section && <title>{`${section.label} | ${NAME} | ${association.name}`}</title>}
      <nav className="console-nav" aria-label="Console" ref={nav}>
        <ul>
          {consoleRoutes
            .filter((route) => route.label !== undefined && mayOpen(route))
            .map((route) => (
              <li key={route.path}>
                <Link to={routeUrl(route)} aria-current={route === section ? 'page' : undefined}>
                  {route.label}
                </Link>
              </li>
            ))}
        </ul>
        <p className="small soft">
          {officer.name}, {officer.roles.map((role) => ROLE_NAMES[role]).join(' and ')}
        </p>
      </nav>
      <div className="console-main">
        {match && mayOpen(match.route) ? (
          <LazyPage key={pathname} {...match} />
        ) : (
          <ResultPage spot="empty" title={match ? 'No access with your role' : 'Page not found'}>
            <p>
              {match
                ? 'Your role does not include this page. Ask the president if you need it.'
                : 'Choose another page from the navigation.'}
            </p>
          </ResultPage>
        )}
      </div>
      <ReauthenticationDialog
        open={question !== null}
        factors={officer.secondFactor.ways}
        onAnswer={(isProved) => question?.answer(isProved)}
      />
    </div>
  )
}

function LazyPage({ route, params }: { route: ConsoleRoute; params: Record<string, string> }) {
  const [Page, setPage] = useState<ComponentType<Record<string, string>> | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    let isCurrent = true
    setFailed(false)
    route.load().then(
      (module) => isCurrent && setPage(() => module.default),
      () => isCurrent && setFailed(true),
    )
    return () => {
      isCurrent = false
    }
  }, [route, attempt])

  if (Page) return <Page {...params} />
  if (!failed) return <Spinner text="Opening the page..." />
  return (
    <Banner tone="bad" role="alert">
      <p>This page didn't load. Check your connection and try again.</p>
      <Button variant="line" size="small" onClick={() => setAttempt(attempt + 1)}>
        Try again
      </Button>
    </Banner>
  )
}
