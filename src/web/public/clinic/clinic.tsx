import { data } from 'react-router'
import type { TextPage } from '#contract/public/association.ts'
import type { ClinicTimes } from '#contract/public/clinic.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { sharePicture } from '#web/app/share-picture.ts'
import { structuredData } from '#web/app/structured-data.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { dayInLanguage, nextClinicDays } from './clinic-days.rules.ts'
import { ClinicDetails } from './clinic-details.tsx'
import { ClinicHero } from './clinic-hero.tsx'
import { ClinicLanguages, LanguageLinks } from './clinic-languages.tsx'
import { slug } from '#web/public/slug.rules.ts'
import { Banner } from '#web/ui/banner.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture, Spot, type SpotName } from '#web/ui/picture.tsx'
import type { Route } from './+types/clinic'

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [{ today }, page, clinic, translations, images] = await Promise.all([
    services.rootData(),
    services.textPage('clinic'),
    services.clinic(),
    services.clinicTranslations(),
    services.pictures('clinic', 'hero'),
  ])
  if (!page) throw data(null, { status: 404 })
  const [next] = nextClinicDays(clinic, today, 1)
  return {
    today,
    page,
    clinic,
    images,
    // Written on the server: a browser may not know all languages.
    translations: translations.map((one) => ({
      ...one,
      nextDay: next === undefined ? null : dayInLanguage(one.language, next, clinic),
    })),
  }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { page, clinic, today } = loaderData
  const contents = contentsOf(matches)
  return [
    ...pageMeta({ contents, title: page.title, description: page.description, sharePicture: sharePicture('clinic') }),
    ...(contents
      ? [clinicData({ page, clinic, today, siteUrl: contents.siteUrl, email: contents.association.email })]
      : []),
  ]
}

/** schema.org cannot express 'first and third', so the next days are listed one by one. */
const DAYS_LISTED = 6

interface ClinicDescription {
  page: TextPage
  clinic: ClinicTimes
  today: string
  siteUrl: string
  email: string
}

function clinicData({ page, clinic, today, siteUrl, email }: ClinicDescription) {
  return structuredData({
    '@type': 'MedicalClinic',
    name: page.title,
    description: page.description,
    url: new URL(paths.clinic(), siteUrl).href,
    email,
    address: clinic.place,
    hasMap: clinic.mapLink,
    priceRange: 'Free',
    medicalSpecialty: 'PrimaryCare',
    isAcceptingNewPatients: true,
    openingHoursSpecification: nextClinicDays(clinic, today, DAYS_LISTED).map((day) => ({
      '@type': 'OpeningHoursSpecification',
      opens: clinic.startsAt,
      closes: clinic.endsAt,
      validFrom: day,
      validThrough: day,
    })),
  })
}

const VISIT = 'visit'

export default function ClinicPage({ loaderData }: Route.ComponentProps) {
  const { today, page, clinic, images, translations } = loaderData
  return (
    <>
      <ClinicHero page={page} clinic={clinic} today={today} images={images} visitId={VISIT}>
        <LanguageLinks translations={translations} />
      </ClinicHero>
      <div className="wrap section passage">
        <div className="flow">
          <h2>What we can do for you</h2>
          <Services items={page.items} />
          <Banner tone="warn" title="In an emergency call 911.">
            We cannot treat emergencies.
          </Banner>
        </div>
        <ClinicDetails clinic={clinic} today={today} facts={page.facts} />
      </div>
      <ClinicLanguages translations={translations} place={clinic.place} />
      <section className="ground section" id={VISIT} aria-label="Your visit">
        <div className="wrap passage">
          {/* Sanitized on the server. */}
          <div className="prose" dangerouslySetInnerHTML={{ __html: page.html }} />
          <div className="clinic-aside">
            <Picture src="/art/event-flu.svg" alt="A vaccine vial in a wreath of leaves" width={1200} height={900} />
            <ul className="more-links">
              {page.more.map(({ label, path }) => (
                <li key={path}>
                  <Link className="more" to={path}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
            <Banner tone="note" title="Please do not send medical information through this site.">
              Bring your questions to the clinic, where they can be asked in private.
            </Banner>
          </div>
        </div>
      </section>
      {page.cards.map((card) => (
        <VolunteerPanel key={card.title} {...card} />
      ))}
    </>
  )
}

/** For those who want to help, apart from what patients read. */
function VolunteerPanel({ title, text, link }: TextPage['cards'][number]) {
  return (
    <section className="panel volunteer-panel" aria-labelledby={slug(title)}>
      <div className="wrap">
        <div>
          <h2 id={slug(title)}>{title}</h2>
          <p className="lead">{text}</p>
        </div>
        {link && (
          <ButtonLink variant="line" to={link.path}>
            {link.label}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}

function Services({ items }: Pick<TextPage, 'items'>) {
  return (
    <ul className="clinic-services">
      {items.map(({ title, text, spot }) => (
        <li key={title}>
          <Spot name={spot as SpotName} />
          <div>
            <h3>{title}</h3>
            <p className="soft">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
