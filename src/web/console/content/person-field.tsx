import type { ListedPerson } from '#contract/console-media.ts'
import type { PicturePerson } from '#contract/media.ts'
import { described, FieldBox } from '#web/ui/field.tsx'

/** What the choice of a person holds. */
export function personKey({ list, name }: PicturePerson): string {
  return `${list}/${name}`
}

export function personOf(key: string, people: readonly ListedPerson[]): PicturePerson | null {
  const found = people.find((person) => personKey(person) === key)
  return found ? { list: found.list, name: found.name } : null
}

/** Whose portrait a picture is: somebody whom the site lists, told apart by where. */
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
  const hint = 'Shown with this person wherever the site lists them, and with nobody else.'
  return (
    <FieldBox id={id} label="Whose portrait" hint={hint} {...(error !== undefined && { error })}>
      <select
        className="input"
        name="person"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        {...described({ id, hint, error })}
        id={id}
      >
        <option value="">Nobody yet</option>
        {people.map((person) => (
          <option key={personKey(person)} value={personKey(person)}>
            {`${person.name} (${person.where.join('; ')})`}
          </option>
        ))}
      </select>
    </FieldBox>
  )
}
