import { Fragment } from 'react'
import { addressLines } from '#contract/address-lines.ts'
import { contentsOf, pageMeta, associationOf } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ContactForm } from './contact-form.tsx'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/contact'

export function meta({ matches }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return pageMeta({
    contents,
    title: 'Contact Us',
    description: `Send us a message. A real person reads every message and replies within ${associationOf(contents).replyTime}.`,
  })
}

export default function ContactPage() {
  const { association } = useFrameContents()
  const { name, email, address, mapLink, replyTime, caution } = association
  return (
    <>
      <PageHead
        title="Contact Us"
        lead={
          <>
            A real person reads every message and replies within <span className="nowrap">{replyTime}</span>.
          </>
        }
      />
      <div className="wrap section contact">
        <section className="card" aria-labelledby="write">
          <h2 id="write">What's it about?</h2>
          <NeedsScript email={email} />
          <ContactForm email={email} replyTime={replyTime} caution={caution.title} />
        </section>
        <aside aria-label="Other ways to reach us">
          <div className="detail-panel panel">
            <dl className="details">
              <div>
                <dt>Email</dt>
                <dd>
                  <a href={`mailto:${email}`}>{email}</a>
                </dd>
              </div>
              <div>
                <dt>Visit</dt>
                <dd>
                  <address>
                    {name}
                    <br />
                    {addressLines(address).map((line) => (
                      <Fragment key={line}>
                        {line}
                        <br />
                      </Fragment>
                    ))}
                    <a href={mapLink}>Open the office on a map</a>
                  </address>
                </dd>
              </div>
            </dl>
          </div>
          {caution.title && (
            <Banner tone="warn" title={caution.title}>
              <p>
                {caution.text}
                {caution.emergencyNumber && (
                  <>
                    {' '}
                    In an emergency, call{' '}
                    <a className="emergency" href={`tel:${caution.emergencyNumber}`}>
                      {caution.emergencyNumber}
                    </a>
                    .
                  </>
                )}
              </p>
            </Banner>
          )}
        </aside>
      </div>
    </>
  )
}
