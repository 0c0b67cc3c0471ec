import { useCallback, useEffect, useState, type SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import { limits } from '#contract/limits.ts'
import { recordText } from '#contract/member-record/record-values.ts'
import type { DirectoryEntry } from '#contract/public/my-account/directory.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { accountPath } from '#web/app/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { FieldBox, fieldId } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { TryAgain } from '../try-again.tsx'
import { findPeople, type FoundPeople } from './directory.calls.ts'

type State =
  | { step: 'loading' }
  | { step: 'failed' }
  | { step: 'refused'; sentence: string }
  | { step: 'found'; found: FoundPeople }

const { peopleAPage, pagesMax } = limits.directory

/** Search and its results. What is sought stands in the address, so that "back" from an entry returns to it. */
export function DirectorySearch() {
  const [params, setParams] = useSearchParams()
  const [state, setState] = useState<State>({ step: 'loading' })
  // The filters stay while the next results load.
  const [filters, setFilters] = useState<FoundPeople['filters']>([])
  const sought = params.toString()

  const load = useCallback(async () => {
    setState({ step: 'loading' })
    const next = await stateOf(sought)
    setState(next)
    if (next.step === 'found') setFilters(next.found.filters)
  }, [sought])

  useEffect(() => {
    let isWanted = true
    setState({ step: 'loading' })
    void stateOf(sought).then((next) => {
      if (!isWanted) return
      setState(next)
      if (next.step === 'found') setFilters(next.found.filters)
    })
    return () => {
      isWanted = false
    }
  }, [sought])

  function search(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
    )
    setParams(entries)
  }

  return (
    <>
      <form role="search" className="directory-search" key={sought} onSubmit={search}>
        <FieldBox id={fieldId('q')} label="Search">
          <input
            className="input"
            id={fieldId('q')}
            name="q"
            type="search"
            maxLength={limits.directory.queryMax}
            defaultValue={params.get('q') ?? ''}
          />
        </FieldBox>
        {filters.map(({ key, label, choices }) => {
          const name = `field.${key}`
          return (
            <FieldBox key={key} id={fieldId(name)} label={label}>
              <select className="input" id={fieldId(name)} name={name} defaultValue={params.get(name) ?? ''}>
                <option value="">Any</option>
                {choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            </FieldBox>
          )
        })}
        <Button type="submit" size="small">
          Search
        </Button>
      </form>
      <div aria-live="polite" aria-busy={state.step === 'loading' || undefined}>
        {state.step === 'loading' && <Skeleton height="12rem" />}
        {state.step === 'failed' && (
          <TryAgain message="The directory could not be loaded. Please check your connection." onRetry={load} />
        )}
        {state.step === 'refused' && (
          <Banner tone="bad" role="alert">
            {state.sentence}
          </Banner>
        )}
        {state.step === 'found' && <Results found={state.found} params={params} />}
      </div>
      <p className="small soft">
        You see those who chose to be listed, with what they show to members. The directory may not be copied, or used
        for advertising; it may have marks by which a copy and its log-in are recognized.{' '}
        <Link to={`${accountPath('profile')}#directory`}>Your own entry</Link>
      </p>
    </>
  )
}

async function stateOf(sought: string): Promise<State> {
  try {
    return { step: 'found', found: await findPeople(Object.fromEntries(new URLSearchParams(sought))) }
  } catch (failure) {
    if (failure instanceof CallFailure && failure.code === 'RATE_LIMITED')
      return { step: 'refused', sentence: 'You have seen as many people as one day allows. Please continue tomorrow.' }
    if (failure instanceof CallFailure && failure.kind === 'refused')
      return { step: 'refused', sentence: failure.serverMessage ?? 'The directory could not be shown.' }
    return { step: 'failed' }
  }
}

function Results({ found: { people, page, hasMore }, params }: { found: FoundPeople; params: URLSearchParams }) {
  if (people.length === 0) {
    return params.size > 0 ? (
      <p>
        No one in the directory matches this. <Link to={accountPath('directory')}>Show everyone</Link>
      </p>
    ) : (
      <p>No one is in the directory yet.</p>
    )
  }
  return (
    <>
      <ul className="directory-people">
        {people.map((person) => (
          <li key={person.id}>
            <PersonInBrief person={person} />
          </li>
        ))}
      </ul>
      {(page > 1 || hasMore) && (
        <nav className="buttons" aria-label="Pages">
          {page > 1 && <Link to={pagePath(params, page - 1)}>Previous</Link>}
          {hasMore && <Link to={pagePath(params, page + 1)}>Next</Link>}
        </nav>
      )}
      {page === pagesMax && people.length === peopleAPage && (
        <p className="small soft">Search for a name, a place or a specialty to find others.</p>
      )}
    </>
  )
}

const LINES_IN_BRIEF = 3

function PersonInBrief({ person: { id, firstName, lastName, values } }: { person: DirectoryEntry }) {
  return (
    <>
      <h2>
        <Link to={`${accountPath('directory')}?${new URLSearchParams({ member: id })}`}>
          {firstName} {lastName}
        </Link>
      </h2>
      {values.slice(0, LINES_IN_BRIEF).map(({ key, value }) => (
        <p key={key}>{recordText(value)}</p>
      ))}
    </>
  )
}

function pagePath(params: URLSearchParams, page: number): string {
  const next = new URLSearchParams(params)
  next.set('page', String(page))
  return `${accountPath('directory')}?${next}`
}
