import type { MouseEvent } from 'react'
import { useLocation } from 'react-router'
import type { FrameContents } from '#server/pages/page-services.ts'
import { Link, useFollow } from '#web/ui/link.tsx'
import { paths } from './paths.ts'
import { quickLinks } from './site-map.ts'

/** Pages whose footer stands on cream; all others have light grey. */
const CREAM_PAGES = ['/events', '/news']

/**
 * What the footer says never changes while a page lives: the browser keeps what the server wrote, so that neither the words nor what makes them of
 * the contents travels to it a second time.
 */
export function Footer({ contents }: { contents: FrameContents }) {
  const { pathname } = useLocation()
  const look = CREAM_PAGES.includes(pathname) ? 'footer cream' : 'footer'
  if (!import.meta.env.SSR) return <KeptFooter look={look} />
  return (
    <footer className={look}>
      <FooterWords contents={contents} />
    </footer>
  )
}

let kept: string | undefined

function KeptFooter({ look }: { look: string }) {
  const follow = useFollow()
  kept ??= document.querySelector('footer')?.innerHTML ?? ''

  function followLink(event: MouseEvent) {
    const link = event.target instanceof Element && event.target.closest('a')
    if (link && link.origin === location.origin) follow(event, link.pathname + link.search)
  }

  return <footer className={look} onClick={followLink} dangerouslySetInnerHTML={{ __html: kept }} />
}

export function FooterWords({ contents: { association, mapEmbedUrl, today } }: { contents: FrameContents }) {
  const { street, suite, city, region, postalCode } = association.address
  return (
    <div className="wrap">
      <div className="footer-columns">
        <address>
          <h2>Find us</h2>
          {association.name}
          <br />
          {street}, {suite}
          <br />
          {city}, {region} {postalCode}
          <br />
          <a href={`mailto:${association.email}`}>{association.email}</a>
        </address>
        <nav aria-label="Quick links">
          <h2>Quick links</h2>
          <ul>
            {quickLinks().map(({ path, label }) => (
              <li key={path}>
                <Link to={path}>{label}</Link>
              </li>
            ))}
          </ul>
        </nav>
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
        <div>
          <iframe
            className="map"
            title="Map of the way to the office"
            src={mapEmbedUrl}
            loading="lazy"
            referrerPolicy="no-referrer"
            sandbox="allow-scripts allow-same-origin allow-popups"
          />
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
