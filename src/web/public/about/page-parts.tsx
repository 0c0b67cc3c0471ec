import type { TextPage } from '#contract/public/association.ts'
import { MoreLink } from '#web/ui/button.tsx'
import { imageUrl } from '#web/ui/image-url.ts'
import { Picture, Spot, type SpotName } from '#web/ui/picture.tsx'

/** Short aims on inks. */
export function Aims({ items, itemsTitle }: Pick<TextPage, 'items' | 'itemsTitle'>) {
  const Heading = itemsTitle === null ? 'h2' : 'h3'
  return (
    <div className="wrap section aims-section">
      {itemsTitle !== null && <h2>{itemsTitle}</h2>}
      <ul className={items.length === 5 ? 'aims five' : 'aims'}>
        {items.map((item) => (
          <li key={item.title}>
            <Spot name={item.spot as SpotName} bare />
            <div>
              <Heading>{item.title}</Heading>
              <p>{item.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Who can apply and who cannot, side by side. */
export function Eligibility({ can, cannot }: TextPage['eligibility']) {
  if (can.length === 0 && cannot.length === 0) return null
  return (
    <div className="eligibility">
      <EligibilityList title="Who can apply" className="ticks" lines={can} />
      <EligibilityList title="Who can’t" className="crosses" lines={cannot} />
    </div>
  )
}

function EligibilityList({ title, className, lines }: { title: string; className: string; lines: string[] }) {
  if (lines.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul className={className}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

export function Timeline({ title, entries }: TextPage['timeline']) {
  return (
    <section className="section panel timeline-panel" aria-labelledby="timeline">
      <div className="wrap">
        <h2 id="timeline">{title ?? 'Our story'}</h2>
        <ol className="timeline">
          {entries.map((entry) => (
            <li key={`${entry.year} ${entry.title}`}>
              <b>{entry.year}</b>
              <div>
                <h3>{entry.title}</h3>
                <p>{entry.text}</p>
                {entry.picture !== null && (
                  <Picture
                    src={imageUrl(entry.picture)}
                    alt=""
                    width={1200}
                    height={800}
                    displayWidth="(min-width: 64rem) 18rem, (min-width: 48rem) 45vw, 75vw"
                  />
                )}
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

export function Cards({ cards }: Pick<TextPage, 'cards'>) {
  return (
    <div className="section ground">
      <ul className="wrap page-cards">
        {cards.map(({ title, text, link }) => (
          <li key={title} className="card">
            <h2>{title}</h2>
            <p>{text}</p>
            {link && (
              <p>
                <MoreLink to={link.path}>{link.label}</MoreLink>
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
