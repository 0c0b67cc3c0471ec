import { data } from 'react-router'
import type { DirectoryEntry } from '#contract/public/my-account/directory.ts'
import { pageServicesContext } from '#web/app/page-services-context.ts'
import { paths } from '#web/app/paths.ts'
import { structuredData } from '#web/app/structured-data.ts'
import { contentsOf, pageMeta } from '#web/app/title.ts'
import { RecordValueText } from '#web/shared/member-record/record-value.tsx'
import styles from '#web/styles/public/directory.css?url'
import { Button } from '#web/ui/button.tsx'
import { FieldBox, fieldId } from '#web/ui/field.tsx'
import { KeyValueList } from '#web/ui/key-value-list.tsx'
import { Link } from '#web/ui/link.tsx'
import { PageHead } from '#web/ui/page-head.tsx'
import { entryAnchor, listingData } from './listing-data.rules.ts'
import type { Route } from './+types/find-a-member'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

/** Members who chose to be found by everyone. The server renders it for each request, so it works without JavaScript. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const directory = await context.get(pageServicesContext).publicDirectory(query)
  if (!directory) throw data(null, { status: 404 })
  return { directory, query }
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return []
  const { directory, query } = loaderData
  const { title, description, people } = directory
  const isFirstPage = Object.keys(query).length === 0
  return [
    ...pageMeta({ contents: contentsOf(matches), title, description: description || undefined }),
    // One address for search engines; results of a search are not pages of their own.
    ...(isFirstPage && people.length > 0 ? [] : [{ name: 'robots', content: 'noindex' }]),
    ...(people.length > 0 ? [structuredData(listingData(directory))] : []),
  ]
}

export default function FindAMemberPage({ loaderData: { directory, query } }: Route.ComponentProps) {
  const { title, lead, caution, people, page, hasMore, filters, mark } = directory
  const isSearch = Object.entries(query).some(([name, value]) => name !== 'page' && value !== '')
  return (
    <>
      <PageHead title={title} {...(lead && { lead })} />
      <div className="wrap section flow">
        <form role="search" className="directory-search" action={paths.findAMember()}>
          <FieldBox id={fieldId('q')} label="Search">
            <input className="input" id={fieldId('q')} name="q" type="search" defaultValue={query['q']} />
          </FieldBox>
          {filters.map(({ key, label, choices }) => (
            <FieldBox key={key} id={fieldId(key)} label={label}>
              <select className="input" id={fieldId(key)} name={key} defaultValue={query[key] ?? ''}>
                <option value="">Any</option>
                {choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            </FieldBox>
          ))}
          <Button type="submit">Search</Button>
        </form>
        {people.length === 0 && (
          <p>
            {isSearch ? 'No one matches this search. ' : 'No one is listed at the moment. '}
            {isSearch && <Link to={paths.findAMember()}>Show everyone</Link>}
          </p>
        )}
        {people.length > 0 && (
          <ul className="directory-people">
            {people.map((person, index) => (
              <li key={person.id} id={entryAnchor(mark, index)}>
                <Person person={person} />
              </li>
            ))}
          </ul>
        )}
        {(page > 1 || hasMore) && (
          <nav className="buttons" aria-label="Pages">
            {page > 1 && <Link to={pagePath(query, page - 1)}>Previous</Link>}
            {hasMore && <Link to={pagePath(query, page + 1)}>Next</Link>}
          </nav>
        )}
        {caution && <p className="small soft">{caution}</p>}
      </div>
    </>
  )
}

function Person({ person: { firstName, lastName, values } }: { person: DirectoryEntry }) {
  return (
    <>
      <h2>
        {firstName} {lastName}
      </h2>
      {values.length > 0 && (
        <KeyValueList
          items={values.map(({ label, kind, value }) => ({
            label,
            value: <RecordValueText kind={kind} value={value} />,
          }))}
        />
      )}
    </>
  )
}

function pagePath(query: Record<string, string>, page: number): string {
  return `${paths.findAMember()}?${new URLSearchParams({ ...query, page: String(page) })}`
}
