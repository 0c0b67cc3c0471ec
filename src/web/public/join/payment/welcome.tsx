import type { ReactNode, Ref } from 'react'
import type { Subscription } from '#contract/public/account.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { paths } from '#web/app/paths.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { useSession } from '#web/session/session.ts'
import { isOff } from '#contract/parts.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Spot } from '#web/ui/picture.tsx'
import { QuickAction } from '#web/public/quick-action.tsx'
import { useConfirmedMembership } from './confirmed-membership.ts'

interface WelcomeProps {
  title: string
  titleRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** The moment of joining: name and membership, where the server confirms them, and what to do first. */
export function Welcome({ title, titleRef, children }: WelcomeProps) {
  const membership = useConfirmedMembership()
  const { partsOff } = useFrameContents()
  return (
    <>
      <section className="panel moment">
        <div className="wrap">
          <Spot name="lamp" bare isPriority />
          <h1 tabIndex={-1} ref={titleRef}>
            {title}
          </h1>
          <div role="status">
            {membership && <p className="statement">Welcome, {membership.firstName}.</p>}
            <div className="lead">{children}</div>
            {membership && <MembershipCard subscription={membership.subscription} />}
          </div>
          <LogInPrompt />
        </div>
      </section>
      <section className="section" aria-labelledby="first-steps">
        <div className="wrap flow">
          <h2 id="first-steps">Three good first steps</h2>
          <div className="quick-actions">
            {!isOff(paths.events(), partsOff) && (
              <QuickAction
                title="Come to an event"
                text="Meet your colleagues in person."
                to={paths.events()}
                spot="cups"
                ink="marigold"
              />
            )}
            <QuickAction
              title="Pick a committee"
              text="Each would be glad of one more."
              to={paths.committees()}
              spot="stethoscope"
              ink="sage"
            />
            <QuickAction
              title="Look at your account"
              text="Your details, receipts and credentials."
              to={paths.account()}
              spot="peach"
              ink="blush"
            />
          </div>
          <div className="buttons">
            <ButtonLink to={paths.account()}>Go to your account</ButtonLink>
            <ButtonLink variant="line" to={paths.home()}>
              Back to home
            </ButtonLink>
          </div>
        </div>
      </section>
    </>
  )
}

function MembershipCard({ subscription }: { subscription: Subscription }) {
  const { name } = subscription.membershipLevel
  const { label, value } = describeTerm(subscription)
  return (
    <>
      <p className="visually-hidden">
        {name}: {label} {value}.
      </p>
      <p className="membership-slip" aria-hidden="true">
        <small>Membership</small>
        <small>{label.charAt(0).toUpperCase() + label.slice(1)}</small>
        <b>{name}</b>
        <b>{value}</b>
      </p>
    </>
  )
}

function describeTerm({ kind, nextBillDate, cancelDate }: Subscription): { label: string; value: string } {
  if (kind === 'ONE_TIME') return { label: 'yours', value: 'for life' }
  if (nextBillDate) return { label: 'renews on', value: formatLongDate(nextBillDate) }
  if (cancelDate) return { label: 'active until', value: formatLongDate(cancelDate) }
  return { label: 'active', value: 'from today' }
}

/** Another device or a later visit gets no token, so it offers to log in (docs/product-rules.md#return-from-payment). */
function LogInPrompt() {
  const { status } = useSession()
  if (status === 'member') return null
  const login = `${paths.login()}?${new URLSearchParams({ next: paths.account() })}`
  return (
    // Keeps its place until it is known whether it is shown, so that nothing moves.
    <p style={{ visibility: status === 'unknown' ? 'hidden' : undefined }}>
      <Link to={login}>Log in</Link> to see your membership.
    </p>
  )
}
