import { useEffect, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { readSetup } from '#contract/setup/first-steps.ts'
import { paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { errorMessage } from '#web/forms/error-message.ts'
import { useReturnParameters } from '#web/session/return-parameters.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { ResultPage } from '#web/ui/result-page.tsx'
import styles from '#web/styles/public/setup.css?url'
import { FirstStepsForm } from './first-steps-form.tsx'
import type { Route } from './+types/setup'

const ADDRESS = { names: ['code'], secrets: ['code'] } as const

type Step =
  | { name: 'loading' }
  | { name: 'failed'; message: string }
  | { name: 'form'; setup: ReplyOf<typeof readSetup> }
  | { name: 'restarting' }
  | { name: 'done' }

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Set up the site' })
}

/** The first page of a new site: its association and its first officer. The rest is in the console. */
export default function SetupPage() {
  const address = useReturnParameters(ADDRESS)
  const [step, setStep] = useState<Step>({ name: 'loading' })

  useEffect(() => {
    if (address === null) return
    let isGone = false
    const show = (next: Step) => void (isGone || setStep(next))
    import('./setup-calls.ts')
      .then(({ openSetup }) => openSetup(address.code ?? null))
      .then((setup) => show(setup.hasOfficer ? { name: 'done' } : { name: 'form', setup }))
      .catch((failure: unknown) =>
        show({
          name: 'failed',
          message: errorMessage(failure, {
            refused: 'This set-up code is wrong, was already used or has expired.',
            network: 'We couldn’t reach the site. Check your connection and reload this page.',
          }),
        }),
      )
    return () => {
      isGone = true
    }
  }, [address])

  if (step.name === 'form') {
    return (
      <FirstStepsForm
        setup={step.setup}
        onRestart={() => setStep({ name: 'restarting' })}
        onDone={() => setStep({ name: 'done' })}
      />
    )
  }
  if (step.name === 'done') {
    return (
      <ResultPage
        spot="lamp"
        title="Your site has a first officer"
        actions={
          // Loads what the association is called now.
          <ButtonLink to={`${paths.console()}/setup`} reloadDocument>
            Continue in the console
          </ButtonLink>
        }
      >
        <p>
          The console asks for a passkey or an authenticator app first. It then lists what is left before the site
          opens.
        </p>
      </ResultPage>
    )
  }
  return (
    <ResultPage spot="lotus" title="Set up the site">
      {step.name === 'loading' && <Spinner text="Loading the first steps" />}
      {step.name === 'restarting' && (
        <p role="status">
          Saved. The site restarts with the new time zone, which takes about fifteen seconds. This page goes on by
          itself.
        </p>
      )}
      {step.name === 'failed' && (
        <Banner tone="bad" role="alert">
          {step.message}
        </Banner>
      )}
    </ResultPage>
  )
}
