import type { Sponsor } from '#contract/public/sponsors.ts'
import { Picture } from '#web/ui/picture.tsx'
import { useSponsors } from './use-sponsors.ts'

/** The sponsors' logos, with the fixed messages for none and for a failure. */
export function SponsorLogos({ sponsors: fromServer }: { sponsors: Sponsor[] }) {
  const { sponsors, hasFailed } = useSponsors(fromServer)
  return (
    <>
      {hasFailed && <p role="status">Failed to load sponsors</p>}
      {sponsors.length > 0 ? (
        <ul className="sponsor-wall">
          {sponsors.map((sponsor) => (
            <li key={sponsor.id}>
              <Logo sponsor={sponsor} />
            </li>
          ))}
        </ul>
      ) : (
        !hasFailed && <p>No sponsors available at the moment.</p>
      )}
    </>
  )
}

function Logo({ sponsor: { name, logo, website } }: { sponsor: Sponsor }) {
  const picture = <Picture src={logo} alt={name} width={320} height={120} />
  // Search engines ask for paid links to be marked.
  return website ? (
    <a href={website} rel="sponsored">
      {picture}
    </a>
  ) : (
    <span>{picture}</span>
  )
}
