import { region } from '#contract/region.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import type { MembershipCard } from '#contract/public/my-account/membership-card.ts'
import { accountPath, paths } from '#web/app/paths.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import styles from '#web/styles/account/card-page.css?url'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { accountIcons } from '../account-icons.ts'
import { CardActions } from './card-actions.tsx'
import { useCard, type CardState } from './use-card.ts'
import type { Route } from './+types/card-page'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ contents: contentsOf(matches), title: 'Membership card' })
}

/** The membership card over the whole screen. It opens without a network on a phone whose member asked for it. */
export default function CardPage() {
  const { association } = useFrameContents()
  const { state, load, show } = useCard()
  const isEnded = state.step === 'shown' && state.card.status === 'lapsed'
  return (
    <div className="card-page" data-ended={isEnded || undefined}>
      <main id="main" tabIndex={-1}>
        <div className="card-page-top">
          <i aria-hidden="true" />
          <span>{association.name}</span>
          <Link to={paths.account()} aria-label="Close" className="button line">
            <Icon d={CLOSE} />
          </Link>
        </div>
        {state.step === 'shown' ? (
          <>
            <Card {...state} />
            <CardActions {...state} onCard={show} />
          </>
        ) : (
          <WithoutCard state={state} email={association.email} onRetry={() => void load()} />
        )}
      </main>
    </div>
  )
}

const CLOSE = 'M6 6l12 12M18 6 6 18'

interface WithoutCardProps {
  state: Exclude<CardState, { step: 'shown' }>
  email: string
  onRetry(): void
}

function WithoutCard({ state, email, onRetry }: WithoutCardProps) {
  return (
    <>
      <h1 tabIndex={-1}>Membership card</h1>
      {state.step === 'loading' && (
        <>
          <NeedsScript email={email} />
          <Spinner text="Loading your card..." />
        </>
      )}
      {state.step === 'hidden' && <p>Only for the member: the card has a code that identifies its owner.</p>}
      {state.step === 'problem' && (
        <>
          <p role="alert">{state.message}</p>
          {state.action === 'log-in' ? <LogIn /> : <Button onClick={onRetry}>Try again</Button>}
        </>
      )}
    </>
  )
}

function LogIn() {
  return <ButtonLink to={`${paths.login()}?${new URLSearchParams({ next: paths.card() })}`}>Log in</ButtonLink>
}

type CardProps = Pick<Extract<CardState, { step: 'shown' }>, 'card' | 'isLive' | 'needsLogin'>

function Card({ card, isLive, needsLogin }: CardProps) {
  const { name, level, number, since, status, until, code } = card
  return (
    <>
      <p className="card-page-state" data-tone={isLive ? status : undefined} role="status">
        {isLive ? (
          <>
            <Icon d={status === 'active' ? accountIcons.verify : accountIcons.clock} />
            {LIVE[status]}
          </>
        ) : (
          <>Last checked {momentOf(card.checkedAt)}</>
        )}
      </p>
      <div>
        <h1 tabIndex={-1}>{name}</h1>
        {level && <p className="card-page-level">{level}</p>}
      </div>
      {code ? (
        <svg
          className="card-page-code"
          viewBox={`0 0 ${code.size} ${code.size}`}
          role="img"
          aria-label="Code for officers to scan"
        >
          <path d={code.path} shapeRendering="crispEdges" />
        </svg>
      ) : (
        <p className="card-page-code">{whyWithout(card)}</p>
      )}
      <dl>
        <div>
          <dt>Member no.</dt>
          <dd>{number}</dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>{new Date(since).toLocaleDateString('en-US', { year: 'numeric', timeZone: region().timeZone })}</dd>
        </div>
        {level && (
          <div>
            <dt>{status === 'lapsed' ? 'Ended' : 'Valid until'}</dt>
            <dd>{until === null ? 'For life' : shortDate(until)}</dd>
          </div>
        )}
      </dl>
      {status === 'lapsed' && isLive && (
        <ButtonLink to={accountPath('membership')}>{level ? 'Renew membership' : 'Choose a membership'}</ButtonLink>
      )}
      {!isLive && (
        <p className="small">
          This is what the site said then. Only a scan shows whether the card is valid now.
          {needsLogin ? ' Log in to check it again.' : ''}
        </p>
      )}
      {needsLogin && <LogIn />}
    </>
  )
}

const LIVE: Record<MembershipCard['status'], string> = {
  active: 'Valid today',
  past_due: 'Payment past due',
  lapsed: 'No active membership',
}

function whyWithout({ level, status, until, revokedAt }: MembershipCard): string {
  if (status !== 'lapsed' && revokedAt) {
    return `No code: an officer revoked it on ${formatLongDate(revokedAt)}. Get a new one below.`
  }
  if (level === null) return 'No code: you have no membership yet.'
  return until === null
    ? 'No code: the membership ended.'
    : `No code: the membership ended on ${formatLongDate(until)}.`
}

function shortDate(instant: string): string {
  return new Date(instant).toLocaleDateString('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: region().timeZone,
  })
}

/** 'Monday, November 23, 9:41 AM', on the calendar of the association. */
function momentOf(instant: string): string {
  return new Date(instant).toLocaleString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: region().timeZone,
  })
}
