import { useEffect, useId, useState } from 'react'
import { listMembers, type ListedMember } from '#contract/console-members.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { isStill, nameFor, searchWords, type Chosen } from './plan.rules.ts'

const PAUSE_MS = 250
const SHORTEST = 2
const MOST = 5

interface MemberFieldProps {
  label: string
  name: string
  value: Chosen
  /** Whose account was chosen; undefined before the site has answered. */
  member: { name: string; email: string } | undefined
  /** Names that may be meant, such as of those who lead now. */
  suggestions?: readonly string[]
  /** Said while no account is chosen. */
  hint: string
  onChange(chosen: Chosen): void
}

/** Somebody by name: one of the members, found while the name is typed, or a name alone. */
export function MemberField({ label, name, value, member, suggestions = [], hint, onChange }: MemberFieldProps) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const words = searchWords(value.name)
  const isLooking = isOpen && value.accountId === null && words.length >= SHORTEST
  const found = useFound(isLooking ? words : '')
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
        autoComplete="off"
        list={listId}
        value={value.name}
        hint={value.accountId === null ? hint : undefined}
        onChange={({ target }) => {
          setOpen(true)
          onChange({ name: target.value, accountId: isStill(target.value, member) ? value.accountId : null })
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
            aria-label={`Not the account ${member?.email ?? 'that was chosen'}`}
            onClick={() => onChange({ name: value.name, accountId: null })}
          >
            Not this one
          </Button>
        </p>
      )}
      {isLooking && found && (
        <ul className="member-found" aria-label="Members found">
          {found.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false)
                  onChange({ name: nameFor(value.name, one), accountId: one.id })
                }}
              >
                {one.firstName} {one.lastName}
                <span className="small soft">{one.email}</span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="small soft">No member is called so.</li>}
        </ul>
      )}
    </div>
  )
}

/** The first members with these words, asked for once the typing pauses; null before. */
function useFound(words: string): ListedMember[] | null {
  const [found, setFound] = useState<{ words: string; members: ListedMember[] } | null>(null)
  useEffect(() => {
    if (words === '') return
    let isCurrent = true
    const timer = setTimeout(() => {
      callAsOfficer(listMembers, { query: { q: words.slice(0, 100) } }).then(
        ({ members }) => isCurrent && setFound({ words, members: members.slice(0, MOST) }),
        // Who is not found can still be written as a name; the call says at the door what is wrong with it.
        () => {},
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [words])
  return found && found.words === words ? found.members : null
}
