import type { PastPresident } from '#contract/public/association.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { contentsOf, pageMeta, associationOf } from '#web/app/title.ts'
import { useFrameContents } from '#web/shared/frame-contents.ts'
import { EmptyPeopleList } from './empty-people-list.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import type { Route } from './+types/past-presidents'

export async function loader({ context }: Route.LoaderArgs) {
  return { presidents: await context.get(pageServicesContext).pastPresidents() }
}

export function meta({ matches }: Route.MetaArgs) {
  const contents = contentsOf(matches)
  return pageMeta({
    contents,
    title: 'Past Presidents',
    description: `Everyone who has led ${associationOf(contents).name}, from the first president to today, year by year.`,
  })
}

export default function PastPresidentsPage({ loaderData: { presidents } }: Route.ComponentProps) {
  const { association } = useFrameContents()
  const newest = presidents[0]
  const oldest = presidents.at(-1)
  return (
    <>
      <PageHead
        title="Past Presidents"
        {...(newest && oldest && { lead: `The presidents who led us, ${oldest.year} to ${newest.year}.` })}
      />
      <div className="wrap section">
        {presidents.length > 0 ? (
          <div className="decades">
            {byDecade(presidents).map(([decade, list]) => (
              <section key={decade} aria-labelledby={decade}>
                <h2 id={decade}>{decade}</h2>
                <ol reversed>
                  {list.map(({ name, year }) => (
                    <li key={year}>
                      <b>{year}</b> <span>{name}</span>
                    </li>
                  ))}
                </ol>
              </section>
            ))}
          </div>
        ) : (
          <EmptyPeopleList email={association.email} />
        )}
      </div>
    </>
  )
}

/** The presidents of the 2020s, of the 2010s and so on. */
function byDecade(presidents: readonly PastPresident[]): [decade: string, PastPresident[]][] {
  const decadeOf = ({ year }: PastPresident) => `${Math.floor(year / 10)}0s`
  const decades = [...new Set(presidents.map(decadeOf))]
  return decades.map((decade) => [decade, presidents.filter((one) => decadeOf(one) === decade)])
}
