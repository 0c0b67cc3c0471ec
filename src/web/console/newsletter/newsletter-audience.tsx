import { Fragment } from 'react'
import type { NewsletterDetail } from '#contract/console/newsletter.ts'
import { Link } from '#web/ui/link.tsx'
import { Panel } from '../ui/panel.tsx'

/** Who gets it: everyone on the list, less those who are left out, and why. */
export function NewsletterAudience({ audience }: { audience: NewsletterDetail['audience'] }) {
  const { subscribed, pending, left, bounced, complained } = audience
  const leftOut = [
    ['not confirmed yet', pending, 'pending'],
    ['unsubscribed', left, 'left'],
    ['bounced', bounced, 'bounced'],
    ['complained', complained, 'complained'],
  ] as const
  const all = subscribed + leftOut.reduce((sum, [, count]) => sum + count, 0)
  return (
    <Panel title="Audience" action={<Link to="/console/subscribers">Subscribers</Link>}>
      <dl className="arithmetic">
        <dt>On the list</dt>
        <dd>{number(all)}</dd>
        {leftOut
          .filter(([, count]) => count > 0)
          .map(([why, count, state]) => (
            <Fragment key={state}>
              <dt>
                less <Link to={`/console/subscribers?state=${state}`}>{why}</Link>
              </dt>
              <dd>−{number(count)}</dd>
            </Fragment>
          ))}
        <dt className="total">Gets it</dt>
        <dd className="total">{number(subscribed)}</dd>
      </dl>
    </Panel>
  )
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
