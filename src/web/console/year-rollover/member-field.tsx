import { useEffect, useId, useState } from 'react'
import { listMembers, type ListedMember } from '#contract/console/member-list.ts'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { stillMatches, displayName, searchQuery, type ChosenMember } from './plan.rules.ts'

const PAUSE_MS = 250
const SHORTEST = 2
const MOST = 5

interface MemberFieldProps {
  label: string
  name: string
  error?: string | undefined
  value: ChosenMember
  /** The chosen account; undefined while loading. */
  member: { name: string; email: string } | undefined
  /** Suggested names, such as current leaders. */
  suggestions?: readonly string[]
  /** Shown while no account is chosen. */
  hint: string
  /** @param member the account's, when one was chosen from the list */
  onChange(chosen: ChosenMember, member?: ListedMember): void
}

/** A combobox for a member, or a name without an account. */
export function MemberField({ label, name, error, value, member, suggestions = [], hint, onChange }: MemberFieldProps) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const query = searchQuery(value.name)
  const isSearching = isOpen && value.accountId === null && query.length >= SHORTEST
  const found = useMemberSearch(isSearching ? query : '')
  return (
    <div
      className="member-field"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <Field
        label={label}
        name={name}
        error={error}
        autoComplete="off"
        list={listId}
        value={value.name}
        hint={value.accountId === null ? hint : undefined}
        onChange={({ target }) => {
          setOpen(true)
          onChange({ name: target.value, accountId: stillMatches(target.value, member) ? value.accountId : null })
        }}
      />
      <datalist id={listId}>
        {suggestions.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {value.accountId !== null && (
        <p className="member-chosen small">
          <span>
            Account: <strong>{member?.email ?? 'chosen'}</strong>
          </span>
          <Button
            variant="line"
            size="small"
            aria-label={`Remove account ${member?.email ?? ''}`}
            onClick={() => onChange({ name: value.name, accountId: null })}
          >
            Remove
          </Button>
        </p>
      )}
      {isSearching && found && (
        <ul className="member-found" aria-label="Members found">
          {found.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false)
                  onChange({ name: displayName(value.name, one), accountId: one.id }, one)
                }}
              >
                {one.firstName} {one.lastName}
                <span className="small soft">{one.email}</span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="small soft">No members match.</li>}
        </ul>
      )}
    </div>
  )
}

/** The first matching members, debounced; null while loading. */
function useMemberSearch(query: string): ListedMember[] | null {
  const [found, setFound] = useState<{ query: string; members: ListedMember[] } | null>(null)
  useEffect(() => {
    if (query === '') return
    let isCurrent = true
    const timer = setTimeout(() => {
      callAsOfficer(listMembers, { query: { q: query.slice(0, 100) } }).then(
        ({ members }) => isCurrent && setFound({ query, members: members.slice(0, MOST) }),
        // The search is optional: a name can be entered without it, and saving reports errors.
        () => {},
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query])
  return found && found.query === query ? found.members : null
}
