import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { paths } from '#web/app/paths.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'

type Step = { is: 'idle' } | { is: 'loading' } | { is: 'sent' } | { is: 'error'; sentence: string }

interface NewsletterCardProps {
  title?: string
  /** Which card was used; stored with the subscription. */
  source?: string
  /** Shown once the confirmation email is on its way. */
  sent?: ReactNode
}

const SENT_FROM_HOME = (
  <>
    Successfully subscribed to the newsletter! <strong>Check your email to confirm!</strong>
  </>
)

const NO_NETWORK = 'Network error. Please check your connection and try again.'

/** Does not use the other forms' code, because it is on the home page, which must stay light. */
export function NewsletterCard({ title, source = 'homepage', sent = SENT_FROM_HOME }: NewsletterCardProps) {
  const contents = useFrameContents()
  const { newsletter } = contents.association
  const [step, setStep] = useState<Step>({ is: 'idle' })

  async function submit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    if (step.is === 'loading') return
    const form = event.currentTarget
    const email = form.querySelector('input')?.value.trim() ?? ''
    setStep({ is: 'loading' })
    const sentence = await import('./newsletter-sign-up.ts').then(
      ({ signUp }) => signUp({ email, source }, contents),
      () => NO_NETWORK,
    )
    if (sentence) {
      setStep({ is: 'error', sentence })
      form.querySelector('input')?.focus()
    } else {
      setStep({ is: 'sent' })
      form.reset()
    }
  }

  return (
    <section className="panel newsletter-card" aria-labelledby="newsletter-card">
      <div className="wrap section two even">
        <div>
          <h2 id="newsletter-card">{title ?? newsletter.title}</h2>
          <p className="lead">
            {newsletter.promise} <Link to={paths.unsubscribe()}>Unsubscribe</Link> anytime.
          </p>
        </div>
        <form
          className="inline-form"
          method="post"
          noValidate
          onSubmit={(event) => void submit(event)}
          onInput={() => step.is === 'error' && setStep({ is: 'idle' })}
        >
          <label htmlFor="newsletter-email">Email</label>
          <input
            className="input"
            id="newsletter-email"
            name="email"
            type="email"
            autoComplete="email"
            required
            aria-invalid={step.is === 'error' || undefined}
            aria-describedby="newsletter-outcome"
          />
          <Button type="submit" busy={step.is === 'loading'} busyLabel="Sending">
            Subscribe
          </Button>
          <noscript>
            <p>This form needs JavaScript. Please turn it on and load the page again.</p>
          </noscript>
          <p id="newsletter-outcome" role="status">
            {step.is === 'error' && step.sentence}
            {step.is === 'sent' && sent}
          </p>
        </form>
      </div>
    </section>
  )
}
