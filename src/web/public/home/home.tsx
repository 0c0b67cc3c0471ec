import { region } from '#contract/region.ts'
import { memo, Suspense, use, useDeferredValue } from 'react'
import type { Association } from '#contract/public/association.ts'
import { firstUpcoming, recentPast } from '#contract/public/event-lists.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { structuredData } from '#web/app/structured-data.ts'
import { useSession } from '#web/session/session.ts'
import { LazyMembershipGreeting } from '#web/shared/lazy-membership-greeting.tsx'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { heroPicture, heroPreload } from './event-picture.ts'
import { homeSlides } from './slides.ts'
import { UsedPictures } from './used-pictures.rules.ts'
import { HeroCarousel } from './hero-carousel.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { lazyWhenNear } from './lazy-when-near.tsx'
import type { Route } from './+types/home'

/** Fixed by the specification. */
const EVENTS_SHOWN = 3
const NEWS_SHOWN = 3

export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(pageServicesContext)
  const [frame, home, figures, events, news, sponsors, heroImages, galleryImages] = await Promise.all([
    services.rootData(),
    services.home(),
    services.figures(),
    services.events(),
    services.news(),
    services.sponsors(),
    services.pictures('home', 'hero'),
    services.pictures('home', 'gallery'),
  ])
  const { today } = frame
  const { slides: _planned, hasOnlyTheseSlides: _only, ...words } = home
  const slides = homeSlides(home, events, today)
  const used = new UsedPictures()
  used.add(slides)
  return {
    today,
    words,
    organization: organization(frame.association, frame.siteUrl),
    figures,
    slides,
    upcoming: used.choose(firstUpcoming(events, today, EVENTS_SHOWN)),
    past: used.choose(recentPast(events, today, EVENTS_SHOWN)),
    news: used.choose(news.slice(0, NEWS_SHOWN)),
    sponsors,
    heroImages,
    galleryImages,
  }
}

export type HomeContents = Awaited<ReturnType<typeof loader>>

/** On client-side navigation the heading is shown immediately, and the rest when it arrives. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return { coming: serverLoader() }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  const known = loaderData && 'slides' in loaderData ? loaderData : null
  const first = known?.slides[0]
  return [
    ...pageMeta({
      contents,
      ...(known && { description: known.words.lead }),
    }),
    ...(known ? [known.organization] : []),
    // A page being hydrated has already loaded it.
    ...(import.meta.env.SSR && known && (first || known.heroImages.length > 0)
      ? [
          {
            tagName: 'link',
            rel: 'preload',
            as: 'image',
            ...heroPreload(heroPicture(first, known.heroImages, 0)),
            fetchPriority: 'high',
          },
        ]
      : []),
  ]
}

function organization({ name, email, foundedYear, address, socialLinks }: Association, siteUrl: string) {
  return structuredData({
    '@type': 'Organization',
    name,
    url: siteUrl,
    logo: `${siteUrl}/icon-512.png`,
    email,
    ...(foundedYear !== null && { foundingDate: String(foundedYear) }),
    address: {
      '@type': 'PostalAddress',
      streetAddress: [address.street, address.suite].filter(Boolean).join(', '),
      addressLocality: address.city,
      addressRegion: address.region,
      postalCode: address.postalCode,
      addressCountry: region().country,
    },
    sameAs: socialLinks.map(({ url }) => url),
  })
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const isLoaded = 'slides' in loaderData
  // Deferred instead of `Suspense`, which would replace the text: it has to stay, with the focus that the navigation
  // gave its heading.
  const coming = useDeferredValue(isLoaded ? null : loaderData.coming, null)
  const contents = isLoaded ? loaderData : coming && use(coming)
  return (
    <>
      <LazyMembershipGreeting />
      <section className="hero">
        <HeroText words={contents?.words ?? null} />
        {contents ? (
          <HeroCarousel slides={contents.slides} images={contents.heroImages} />
        ) : (
          <div className="window panel">
            <p className="slip">Loading events...</p>
          </div>
        )}
      </section>
      {contents ? <BelowHero contents={contents} /> : <LoadingImages />}
    </>
  )
}

function LoadingImages() {
  return (
    <section className="section panel gallery">
      <p className="wrap">Loading images...</p>
    </section>
  )
}

const Sections = lazyWhenNear('.home-sections', async () => (await import('./home-sections.tsx')).HomeSections)

/**
 * Everything below the first screen. The server's HTML is complete, so its code, half of the page's, loads when a
 * visitor comes near or touches the page. Memoized: a new element would make React hydrate it at once.
 */
const BelowHero = memo(function BelowHero({ contents }: { contents: HomeContents }) {
  const { figures } = contents
  return (
    <>
      {figures.length > 0 && (
        <section className="panel clay-band" aria-label="The association in figures">
          <dl className="wrap figures">
            {figures.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      <div className="home-sections">
        <Suspense fallback={<LoadingImages />}>
          <Sections {...contents} />
        </Suspense>
      </div>
    </>
  )
})

/** @param words of the officers; null while they are loading */
function HeroText({ words }: { words: HomeContents['words'] | null }) {
  const { status } = useSession()
  return (
    <div className="hero-text">
      {words?.eyebrow && <p className="eyebrow">{words.eyebrow}</p>}
      <h1 className="big">{words?.headline || 'Welcome'}</h1>
      {words && (
        <>
          {words.lead && <p className="lead">{words.lead}</p>}
          <div className="buttons">
            {status === 'member' ? (
              <ButtonLink to={paths.account()}>My membership</ButtonLink>
            ) : (
              <ButtonLink to={words.join.path}>{words.join.label}</ButtonLink>
            )}
            <ButtonLink variant="line" to={words.learnMore.path}>
              {words.learnMore.label}
              {words.learnMore.path === paths.about() && (
                <span className="visually-hidden"> about the association</span>
              )}
            </ButtonLink>
          </div>
        </>
      )}
    </div>
  )
}
