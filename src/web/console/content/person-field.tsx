import type { ListedPerson } from '#contract/console/media.ts'
import type { PicturePerson } from '#contract/public/media.ts'
import { ariaDescription, FieldBox } from '#web/ui/field.tsx'

/** The option value of a person. */
export function personKey({ list, name }: PicturePerson): string {
  return `${list}/${name}`
}

export function findPerson(key: string, people: readonly ListedPerson[]): PicturePerson | null {
  const found = people.find((person) => personKey(person) === key)
  return found ? { list: found.list, name: found.name } : null
}

export const PERSON_HINT = 'Shown wherever the site lists this person.'

export function personLabel({ name, where }: ListedPerson): string {
  return `${name} (${where.join('; ')})`
}

/** Selects a listed person, identified by list and name. */
export function PersonField({
  id,
  people,
  value,
  error,
  onChange,
}: {
  id: string
  people: readonly ListedPerson[]
  value: string
  error?: string
  onChange(value: string): void
}) {
  const hint = PERSON_HINT
  return (
    <FieldBox id={id} label="Portrait of" hint={hint} {...(error !== undefined && { error })}>
      <select
        className="input"
        name="person"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        {...ariaDescription({ id, hint, error })}
        id={id}
      >
        <option value="">Not chosen</option>
        {people.map((person) => (
          <option key={personKey(person)} value={personKey(person)}>
            {personLabel(person)}
          </option>
        ))}
      </select>
    </FieldBox>
  )
}
