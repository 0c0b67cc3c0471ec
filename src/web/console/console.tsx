import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { registerAuthorizationHandler } from './shell/call-as-officer.ts'
import { SecondFactorSetup } from './second-factor/second-factor-setup.tsx'
import { ReauthenticationDialog } from './second-factor/reauthentication-dialog.tsx'
import { SecondFactorForm } from './second-factor/second-factor-form.tsx'
import { CurrentOfficer } from './shell/current-officer.ts'
import { lookAhead, useOfficer, type OfficerAccess, type Officer } from './shell/use-officer.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import consoleStyles from '#web/styles/console/console.css?url'
import type { Route } from './+types/console'
import { matchConsoleRoute, navigationRoute, type ConsoleRoute } from './console-routes.ts'
import { loadAhead, loadedPage, loadPage } from './load-page.ts'
import { ConsoleLayout } from './frame/console-layout.tsx'

const NAME = 'Officers’ console'

// Where the console is opened by its address, the page and the officer are loaded while React starts.
const opened = typeof window === 'undefined' ? null : matchConsoleRoute(window.location.pathname)
if (opened) {
  loadAhead(opened.route)
  lookAhead()
}

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: consoleStyles }]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: NAME })
}

/** The console's access check and frame; its pages are loaded one by one. */
export default function ConsolePageFrame() {
  const { pathname } = useLocation()
  const { entrance, look } = useOfficer()
  const officer = entrance.step === 'inside' ? entrance.officer : null
  const match = matchConsoleRoute(pathname)
  const route = match?.route
  // Meanwhile the officer's access is checked.
  useEffect(() => route && loadAhead(route), [route])
  return (
    <ConsoleLayout officer={officer} section={match && navigationRoute(match.route)}>
      {entrance.step === 'inside' ? (
        <InsideConsole officer={entrance.officer} lookAgain={look} />
      ) : (
        <AccessCheck entrance={entrance} look={look} />
      )}
    </ConsoleLayout>
  )
}

interface AccessProps {
  entrance: Exclude<OfficerAccess, { step: 'inside' }>
  look(): void
}

function AccessCheck({ entrance, look }: AccessProps) {
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

function InsideConsole({ officer, lookAgain }: { officer: Officer; lookAgain(): void }) {
  const { pathname } = useLocation()
  const { association } = useFrameContents()
  const [question, setQuestion] = useState<{ answer(isProved: boolean): void } | null>(null)
  const mayOpen = ({ permission }: ConsoleRoute) => officer.permissions.includes(permission)

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

  const match = matchConsoleRoute(pathname)
  const section = match && navigationRoute(match.route)
  return (
    <CurrentOfficer value={officer}>
      {/* Not with `meta`: one document serves every URL of the console. */}
      {section?.entry && <title>{`${section.entry.label} | ${NAME} | ${association.name}`}</title>}
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
      <ReauthenticationDialog
        open={question !== null}
        factors={officer.secondFactor.ways}
        onAnswer={(isProved) => question?.answer(isProved)}
      />
    </CurrentOfficer>
  )
}

function LazyPage({ route, params }: { route: ConsoleRoute; params: Record<string, string> }) {
  const [Page, setPage] = useState(() => loadedPage(route))
  const [attempt, setAttempt] = useState(0)
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    let isCurrent = true
    setFailed(false)
    loadPage(route).then(
      (page) => isCurrent && setPage(() => page),
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
