import { useState } from 'react'
import type { RsvpOffer } from '#contract/rsvp.ts'
import type { Problems } from '#web/features/forms/problems.rules.ts'
import { FieldBox, described, fieldId } from '#web/ui/field.tsx'
import { MEAL_FIELDS, type RsvpField } from './rsvp-party.rules.ts'

interface PartyFieldsProps {
  offer: Pick<RsvpOffer, 'guestsMax' | 'meals'>
  party: { guests: number; meals: readonly string[] }
  problems: Problems<RsvpField>
  /** Told whenever another number of guests is chosen. */
  onGuests?(guests: number): void
}

/** How many come along, and what everybody eats. */
export function PartyFields({ offer: { guestsMax, meals }, party, problems, onGuests }: PartyFieldsProps) {
  const [guests, setGuests] = useState(party.guests)
  return (
    <>
      {guestsMax > 0 && (
        <Choice
          name="guests"
          label="Guests who come with you"
          value={String(party.guests)}
          options={Array.from({ length: Math.max(guestsMax, party.guests) + 1 }, (_, count) => String(count))}
          error={problems.guests}
          onChange={(value) => {
            setGuests(Number(value))
            onGuests?.(Number(value))
          }}
        />
      )}
      {meals.length > 0 &&
        MEAL_FIELDS.slice(0, guests + 1).map((name, index) => (
          <Choice
            key={name}
            name={name}
            label={index === 0 ? 'Your meal' : `Meal for guest ${index}`}
            value={party.meals[index] ?? ''}
            empty="Please choose"
            options={meals}
            error={problems[name]}
          />
        ))}
    </>
  )
}

interface ChoiceProps {
  name: RsvpField
  label: string
  value: string
  /** What stands there before something was chosen. */
  empty?: string
  options: readonly string[]
  error: string | undefined
  onChange?(value: string): void
}

function Choice({ name, label, value, empty, options, error, onChange }: ChoiceProps) {
  const id = fieldId(name)
  return (
    <FieldBox id={id} label={label} {...(error !== undefined && { error })}>
      <select
        className="input"
        id={id}
        name={name}
        defaultValue={value}
        onChange={(event) => onChange?.(event.target.value)}
        {...described({ id, error })}
      >
        {empty !== undefined && <option value="">{empty}</option>}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </FieldBox>
  )
}
