import { Fragment } from 'react'
import { addressLines } from '#contract/address-lines.ts'
import type { MouseEvent } from 'react'
import { useLocation } from 'react-router'
import type { RootData } from '#server/pages/page-services.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link, useLinkNavigation } from '#web/ui/link.tsx'
import { paths } from './paths.ts'

/** Pages with a cream footer; all others have light gray. */
const CREAM_PAGES = ['/events', '/news']

/**
 * The footer never changes while a document lives, so the browser reuses the server's HTML. Neither its text nor the
 * code that renders it is sent a second time.
 */
export function Footer({ contents }: { contents: RootData }) {
  const { pathname } = useLocation()
  const className = CREAM_PAGES.includes(pathname) ? 'footer cream' : 'footer'
  if (!import.meta.env.SSR) return <ReusedFooter look={className} />
  return (
    <footer className={className}>
      <FooterContent contents={contents} />
    </footer>
  )
}

let serverHtml: string | undefined

function ReusedFooter({ look: className }: { look: string }) {
  const follow = useLinkNavigation()
  serverHtml ??= document.querySelector('footer')?.innerHTML ?? ''

  function followLink(event: MouseEvent) {
    const link = event.target instanceof Element && event.target.closest('a')
    if (link && link.origin === location.origin) follow(event, link.pathname + link.search)
  }

  return <footer className={className} onClick={followLink} dangerouslySetInnerHTML={{ __html: serverHtml }} />
}

export function FooterContent({
  contents: { footer, association, mapEmbedUrl, partsOff = [], today },
}: {
  contents: RootData
}) {
  return (
    <div className="wrap">
      <div className="footer-top">
        <div className="footer-name">
          <i aria-hidden="true" />
          <div>
            <b>{association.name}</b>
            {association.about && <p>{association.about}</p>}
          </div>
        </div>
        {!partsOff.includes('newsletter') && (
          <div className="buttons">
            <b>{association.newsletter.title}</b>
            <ButtonLink variant="line" size="small" to={paths.subscribe()}>
              Subscribe
            </ButtonLink>
          </div>
        )}
      </div>
      <div className="footer-columns">
        <div>
          <h2>Find us</h2>
          <address>
            {association.name}
            <br />
            {addressLines(association.address).map((line) => (
              <Fragment key={line}>
                {line}
                <br />
              </Fragment>
            ))}
            <a href={`mailto:${association.email}`}>{association.email}</a>
          </address>
        </div>
        <nav aria-label="Quick links">
          <h2>Quick links</h2>
          <ul>
            {footer.map(({ path, label }) => (
              <li key={path}>
                <Link to={path}>{label}</Link>
              </li>
            ))}
          </ul>
        </nav>
        {association.socialLinks.length > 0 && (
          <div>
            <h2>Follow</h2>
            <ul>
              {association.socialLinks.map(({ label, url }) => (
                <li key={url}>
                  <a href={url} rel="noopener">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div>
          <h2>The office</h2>
          {mapEmbedUrl && (
            <iframe
              className="map"
              title="Map to the office"
              src={mapEmbedUrl}
              loading="lazy"
              referrerPolicy="no-referrer"
              sandbox="allow-scripts allow-same-origin allow-popups"
            />
          )}
          <a href={association.mapLink} rel="noopener">
            Open the office on a map
          </a>
        </div>
      </div>
      <div className="legal">
        <span>
          © {today.slice(0, 4)} {association.name}
        </span>
        <Link to={paths.privacyPolicy()}>Privacy policy</Link>
        <Link to={paths.termsConditions()}>Terms and conditions</Link>
        <span>
          Forms are protected by reCAPTCHA; Google's <a href="https://policies.google.com/privacy">privacy policy</a>{' '}
          and <a href="https://policies.google.com/terms">terms</a> apply.
        </span>
      </div>
    </div>
  )
}
