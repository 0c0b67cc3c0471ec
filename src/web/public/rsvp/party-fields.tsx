import { useState } from 'react'
import type { PublicRsvpSettings } from '#contract/public/rsvp.ts'
import type { FieldErrors } from '#web/forms/validate.rules.ts'
import { FieldBox, ariaDescription, fieldId } from '#web/ui/field.tsx'
import { MEAL_FIELDS, type RsvpField } from './rsvp-party.rules.ts'

interface PartyFieldsProps {
  settings: Pick<PublicRsvpSettings, 'guestsMax' | 'meals'>
  party: { guests: number; meals: readonly string[] }
  problems: FieldErrors<RsvpField>
  /** Called when the number of guests changes. */
  onGuests?(guests: number): void
  /** Decided by tickets, and not chosen here. */
  persons?: number | undefined
}

/** The number of guests and everyone's meals. */
export function PartyFields({ settings: { guestsMax, meals }, party, problems, onGuests, persons }: PartyFieldsProps) {
  const [guests, setGuests] = useState(party.guests)
  const [ownMeal, ...guestMeals] = meals.length > 0 ? MEAL_FIELDS.slice(0, persons ?? guests + 1) : []
  const mealOf = (name: (typeof MEAL_FIELDS)[number], index: number) => (
    <Choice
      key={name}
      name={name}
      label={index === 0 ? 'Your meal' : `Meal for guest ${index}`}
      value={party.meals[index] ?? ''}
      empty="Please choose"
      options={meals}
      error={problems[name]}
    />
  )
  return (
    <>
      <div className="guests-and-meal">
        {guestsMax > 0 && persons === undefined && (
          <Choice
            name="guests"
            label="Guests"
            hint="Not counting you."
            value={String(party.guests)}
            options={Array.from({ length: Math.max(guestsMax, party.guests) + 1 }, (_, count) => String(count))}
            error={problems.guests}
            onChange={(value) => {
              setGuests(Number(value))
              onGuests?.(Number(value))
            }}
          />
        )}
        {ownMeal && mealOf(ownMeal, 0)}
      </div>
      {guestMeals.map((name, index) => mealOf(name, index + 1))}
    </>
  )
}

interface ChoiceProps {
  name: RsvpField
  label: string
  hint?: string
  value: string
  /** The label of the empty option. */
  empty?: string
  options: readonly string[]
  error: string | undefined
  onChange?(value: string): void
}

function Choice({ name, label, hint, value, empty, options, error, onChange }: ChoiceProps) {
  const id = fieldId(name)
  return (
    <FieldBox id={id} label={label} hint={hint} {...(error !== undefined && { error })}>
      <select
        className="input"
        id={id}
        name={name}
        defaultValue={value}
        onChange={(event) => onChange?.(event.target.value)}
        {...ariaDescription({ id, hint, error })}
      >
        {empty !== undefined && <option value="">{empty}</option>}
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </FieldBox>
  )
}
