import { contentsOf, pageMeta } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { ContactForm } from './contact-form.tsx'
import { NeedsScript } from '#web/forms/needs-script.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/contact'

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    contents: contentsOf(matches),
    title: 'Contact Us',
    description: 'Write to the association. A real person reads every message and replies within 24-48 hours.',
  })
}

export default function ContactPage() {
  const { association } = useFrameContents()
  const { name, email, address, mapLink } = association
  return (
    <>
      <PageHead
        title="Contact Us"
        lead={
          <>
            A real person reads every message and replies within <span className="nowrap">24-48 hours</span>.
          </>
        }
      />
      <div className="wrap section contact">
        <section className="card" aria-labelledby="write">
          <h2 id="write">Write to us</h2>
          <NeedsScript email={email} />
          <ContactForm email={email} />
        </section>
        <aside aria-label="Other ways to reach us">
          <h2>Or reach us here</h2>
          <address>
            {name}
            <br />
            {address.street}, {address.suite}
            <br />
            {address.city}, {address.region} {address.postalCode}
          </address>
          <p>
            <a href={`mailto:${email}`}>{email}</a>
          </p>
          <p>
            <a href={mapLink}>Open the office on a map</a>
          </p>
          <h3>Not for medical questions</h3>
          <p>
            We cannot treat anyone by email, and email is not private enough for it: please do not send medical
            information. In an emergency call <a href="tel:911">911</a>.
          </p>
        </aside>
      </div>
    </>
  )
}
